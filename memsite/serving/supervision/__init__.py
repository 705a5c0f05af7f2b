"""Starting, watching and stopping the processes that make a running site. No Django in here."""
