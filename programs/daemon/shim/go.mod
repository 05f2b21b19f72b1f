module tidemark-ipam

go 1.24
