"""The host file and rewritten headers: the user's text with launch blocks, and what the runtime has to know."""
