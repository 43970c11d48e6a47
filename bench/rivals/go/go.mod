module rivals

go 1.22

require github.com/google/safebrowsing v0.0.0-20190624211811-bbf0d20d26b3

require (
	github.com/golang/protobuf v1.2.0 // indirect
	golang.org/x/net v0.0.0-20190213061140-3a22650c66bd // indirect
	golang.org/x/text v0.3.0 // indirect
)
