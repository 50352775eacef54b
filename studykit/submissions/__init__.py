"""A folder of submissions graded: on this machine or on a cluster, and the results kept and written."""
