"""One file for each verb: it parses flags, makes one call and prints what comes back."""
