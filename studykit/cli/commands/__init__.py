"""A file for each verb, from its flags to its output; what several verbs share lies one folder up."""
