"""Keep the live tokens of a branch below a threshold by offloading bulky content behind pointers."""
