"""Does the graph arm help questions whose answer lies two memories away?"""
