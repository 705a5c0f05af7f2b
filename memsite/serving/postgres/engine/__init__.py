"""Django's database engine for PostgreSQL, which also tells the server for whom the code acts."""
