"""Define each verb in a file, from its flags to its output. What several verbs share is one folder up."""
