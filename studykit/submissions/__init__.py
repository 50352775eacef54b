"""Grade a folder of submissions on this machine or on a cluster, and save the results."""
