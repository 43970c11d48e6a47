module rivals

go 1.22
