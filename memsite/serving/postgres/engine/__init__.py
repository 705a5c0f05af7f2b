"""Django's PostgreSQL engine: it tells the server for whom the code acts, and gives up on a silent one."""
