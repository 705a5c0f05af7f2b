"""`manage.py work`: the processes that run jobs, and what watches over them."""
