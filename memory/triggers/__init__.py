"""What brings a lesson up by itself: cue phrases, by their words or their meaning, and the names of tools it stands before."""
