module client

go 1.24.2

require (
	github.com/aws/amazon-vpc-cni-k8s v1.19.6
	google.golang.org/grpc v1.67.1
	google.golang.org/protobuf v1.36.5
)

require (
	golang.org/x/net v0.40.0 // indirect
	golang.org/x/sys v0.33.0 // indirect
	golang.org/x/text v0.25.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20240826202546-f6391c0de4c7 // indirect
)
