"""The timeline: a lane for each subject and predicate, with its values over time."""
