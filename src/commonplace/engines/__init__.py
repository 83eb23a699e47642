"""The three ports and the engines that implement them."""
