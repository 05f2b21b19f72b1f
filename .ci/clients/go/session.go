// A session with EC2 as a Go program holds it: a world is built, filled to its limits and taken
// down through aws-sdk-go-v2. Every answer is checked; the first wrong one ends the session with
// exit code 1.
//
//	go run . ENDPOINT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
)

const image = "ami-0123456789abcdef0"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . ENDPOINT")
		os.Exit(2)
	}
	calls := 0
	client := ec2.New(ec2.Options{
		BaseEndpoint: aws.String(os.Args[1]),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("333333333333", "unchecked", ""),
		Retryer:      aws.NopRetryer{},
		APIOptions: []func(*middleware.Stack) error{func(stack *middleware.Stack) error {
			calls++
			return nil
		}},
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := &session{ctx: ctx, ec2: client}
	s.run()
	fmt.Printf("aws-sdk-go-v2: %d calls, every answer as expected\n", calls)
}

type session struct {
	ctx context.Context
	ec2 *ec2.Client

	vpc, subnet, small, dual, instance, attachment string
	primary, second, third, spare                  string
}

func (s *session) run() {
	s.build()
	s.describeTypes()
	s.launch()
	s.prefixes()
	s.addressLimit()
	s.attachLimits()
	s.exhaustion()
	s.ipv6()
	s.tokens()
	s.paging()
	s.dryRun()
	s.terminate()
	s.takeDown()
}

// ---- the steps ----

func (s *session) build() {
	made := must(s.ec2.CreateVpc(s.ctx, &ec2.CreateVpcInput{
		CidrBlock:                   aws.String("10.50.0.0/16"),
		AmazonProvidedIpv6CidrBlock: aws.Bool(true),
		TagSpecifications: []types.TagSpecification{{
			ResourceType: types.ResourceTypeVpc,
			Tags:         []types.Tag{{Key: aws.String("Name"), Value: aws.String("session")}},
		}},
	}))
	s.vpc = *made.Vpc.VpcId
	found := must(s.ec2.DescribeVpcs(s.ctx, &ec2.DescribeVpcsInput{Filters: by("tag:Name", "session")}))
	equal(len(found.Vpcs), 1, "VPCs by their name")
	s.subnet = s.makeSubnet("10.50.0.0/24", 251)
	s.small = s.makeSubnet("10.50.1.0/28", 11)
	_, err := s.ec2.CreateSubnet(s.ctx, &ec2.CreateSubnetInput{
		VpcId: &s.vpc, CidrBlock: aws.String("10.50.1.0/28"),
	})
	refused(err, "InvalidSubnet.Conflict")
	_, err = s.ec2.DescribeVpcs(s.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{"vpc-00000000000000000"}})
	refused(err, "InvalidVpcID.NotFound")
}

func (s *session) makeSubnet(block string, free int32) string {
	made := must(s.ec2.CreateSubnet(s.ctx, &ec2.CreateSubnetInput{VpcId: &s.vpc, CidrBlock: &block}))
	equal(*made.Subnet.AvailableIpAddressCount, free, "free addresses of a new "+block)
	return *made.Subnet.SubnetId
}

func (s *session) describeTypes() {
	found := must(s.ec2.DescribeInstanceTypes(s.ctx, &ec2.DescribeInstanceTypesInput{
		InstanceTypes: []types.InstanceType{types.InstanceTypeM5Large},
	}))
	network := found.InstanceTypes[0].NetworkInfo
	equal(*network.MaximumNetworkInterfaces, 3, "interfaces of an m5.large")
	equal(*network.Ipv4AddressesPerInterface, 10, "addresses of its interfaces")
	equal(len(network.NetworkCards), 1, "its network cards")
}

func (s *session) launch() {
	launched := must(s.ec2.RunInstances(s.ctx, &ec2.RunInstancesInput{
		ImageId:      aws.String(image),
		InstanceType: types.InstanceTypeM5Large,
		MinCount:     aws.Int32(1),
		MaxCount:     aws.Int32(1),
		SubnetId:     &s.subnet,
	}))
	s.instance = *launched.Instances[0].InstanceId
	waiter := ec2.NewInstanceRunningWaiter(s.ec2)
	check(waiter.Wait(s.ctx, &ec2.DescribeInstancesInput{InstanceIds: []string{s.instance}}, time.Minute))
	s.primary = *s.interfaces("attachment.instance-id", s.instance)[0].NetworkInterfaceId
	equal(s.free(s.subnet), 250, "free addresses with one instance")
}

func (s *session) prefixes() {
	made := must(s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{
		SubnetId: &s.subnet, Ipv4PrefixCount: aws.Int32(1),
	})).NetworkInterface
	s.second = *made.NetworkInterfaceId
	equal(len(made.Ipv4Prefixes), 1, "prefixes of a new interface")
	equal(s.free(s.subnet), 250-1-16, "free addresses with a prefix")
	s.attachment = s.attach(s.second, 1)
	assigned := must(s.ec2.AssignPrivateIpAddresses(s.ctx, &ec2.AssignPrivateIpAddressesInput{
		NetworkInterfaceId: &s.second, Ipv4PrefixCount: aws.Int32(1),
	}))
	equal(len(assigned.AssignedIpv4Prefixes), 1, "prefixes in the answer of an assignment")
	shown := s.shown(s.second)
	equal(len(shown.Ipv4Prefixes), 2, "prefixes of the interface")
	equal(shown.Status, types.NetworkInterfaceStatusInUse, "status of an attached interface")
	must(s.ec2.UnassignPrivateIpAddresses(s.ctx, &ec2.UnassignPrivateIpAddressesInput{
		NetworkInterfaceId: &s.second, Ipv4Prefixes: []string{*made.Ipv4Prefixes[0].Ipv4Prefix},
	}))
	equal(len(s.shown(s.second).Ipv4Prefixes), 1, "prefixes after taking one")
}

func (s *session) addressLimit() {
	assigned := must(s.ec2.AssignPrivateIpAddresses(s.ctx, &ec2.AssignPrivateIpAddressesInput{
		NetworkInterfaceId: &s.second, SecondaryPrivateIpAddressCount: aws.Int32(8),
	}))
	equal(len(assigned.AssignedPrivateIpAddresses), 8, "addresses assigned")
	_, err := s.ec2.AssignPrivateIpAddresses(s.ctx, &ec2.AssignPrivateIpAddressesInput{
		NetworkInterfaceId: &s.second, SecondaryPrivateIpAddressCount: aws.Int32(1),
	})
	refused(err, "PrivateIpAddressLimitExceeded")
	equal(len(s.shown(s.second).PrivateIpAddresses), 9, "addresses after a refusal")
}

func (s *session) attachLimits() {
	s.third = s.create(s.subnet)
	s.spare = s.create(s.subnet)
	refused(s.tryAttach(s.third, 1), "InvalidParameterValue")
	s.attach(s.third, 2)
	refused(s.tryAttach(s.spare, 3), "AttachmentLimitExceeded")
	refused(s.tryDelete(s.third), "InvalidParameterValue")
	equal(len(s.interfaces("attachment.instance-id", s.instance)), 3, "attached")
}

func (s *session) exhaustion() {
	_, err := s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{
		SubnetId: &s.small, Ipv4PrefixCount: aws.Int32(1),
	})
	refused(err, "InsufficientCidrBlocks")
	full := must(s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{
		SubnetId: &s.small, SecondaryPrivateIpAddressCount: aws.Int32(10),
	})).NetworkInterface
	equal(len(full.PrivateIpAddresses), 11, "addresses of the interface that takes all")
	equal(s.free(s.small), 0, "free addresses of a full subnet")
	_, err = s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{SubnetId: &s.small})
	refused(err, "InsufficientFreeAddressesInSubnet")
	check(s.tryDelete(*full.NetworkInterfaceId))
	equal(s.free(s.small), 11, "free addresses once it is gone")
}

func (s *session) ipv6() {
	found := must(s.ec2.DescribeVpcs(s.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{s.vpc}}))
	block := *found.Vpcs[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock
	wide := block[:len(block)-len("/56")] + "/64"
	made := must(s.ec2.CreateSubnet(s.ctx, &ec2.CreateSubnetInput{
		VpcId: &s.vpc, CidrBlock: aws.String("10.50.2.0/24"), Ipv6CidrBlock: &wide,
	}))
	s.dual = *made.Subnet.SubnetId
	eni := s.create(s.dual)
	assigned := must(s.ec2.AssignIpv6Addresses(s.ctx, &ec2.AssignIpv6AddressesInput{
		NetworkInterfaceId: &eni, Ipv6PrefixCount: aws.Int32(1),
	}))
	equal(len(assigned.AssignedIpv6Prefixes), 1, "IPv6 prefixes assigned")
	equal(len(s.shown(eni).Ipv6Prefixes), 1, "IPv6 prefixes of the interface")
	check(s.tryDelete(eni))
}

func (s *session) tokens() {
	ask := func(description string) (*ec2.CreateNetworkInterfaceOutput, error) {
		return s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{
			SubnetId: &s.small, ClientToken: aws.String("session-1"), Description: &description,
		})
	}
	first := must(ask("once")).NetworkInterface.NetworkInterfaceId
	equal(*must(ask("once")).NetworkInterface.NetworkInterfaceId, *first, "id by the same token")
	_, err := ask("twice")
	refused(err, "IdempotentParameterMismatch")
	check(s.tryDelete(*first))
}

func (s *session) paging() {
	var more []string
	for range 7 {
		more = append(more, s.create(s.small))
	}
	var every, paged []string
	for _, one := range s.interfaces("vpc-id", s.vpc) {
		every = append(every, *one.NetworkInterfaceId)
	}
	equal(len(every), 4+7, "interfaces of the VPC")
	pages := ec2.NewDescribeNetworkInterfacesPaginator(s.ec2,
		&ec2.DescribeNetworkInterfacesInput{Filters: by("vpc-id", s.vpc), MaxResults: aws.Int32(5)})
	for pages.HasMorePages() {
		for _, one := range must(pages.NextPage(s.ctx)).NetworkInterfaces {
			paged = append(paged, *one.NetworkInterfaceId)
		}
	}
	equal(fmt.Sprint(paged), fmt.Sprint(every), "interfaces in pages")
	_, err := s.ec2.DescribeNetworkInterfaces(s.ctx, &ec2.DescribeNetworkInterfacesInput{
		NetworkInterfaceIds: more, MaxResults: aws.Int32(5),
	})
	refused(err, "InvalidParameterCombination")
	for _, one := range more {
		check(s.tryDelete(one))
	}
}

func (s *session) dryRun() {
	_, err := s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{
		SubnetId: &s.small, DryRun: aws.Bool(true),
	})
	refused(err, "DryRunOperation")
	_, err = s.ec2.DescribeBundleTasks(s.ctx, &ec2.DescribeBundleTasksInput{})
	refused(err, "UnsupportedOperation")
}

func (s *session) terminate() {
	must(s.ec2.ModifyNetworkInterfaceAttribute(s.ctx, &ec2.ModifyNetworkInterfaceAttributeInput{
		NetworkInterfaceId: &s.second,
		Attachment: &types.NetworkInterfaceAttachmentChanges{
			AttachmentId: &s.attachment, DeleteOnTermination: aws.Bool(true),
		},
	}))
	must(s.ec2.TerminateInstances(s.ctx, &ec2.TerminateInstancesInput{InstanceIds: []string{s.instance}}))
	waiter := ec2.NewInstanceTerminatedWaiter(s.ec2)
	check(waiter.Wait(s.ctx, &ec2.DescribeInstancesInput{InstanceIds: []string{s.instance}}, time.Minute))
	for _, gone := range []string{s.primary, s.second} {
		equal(len(s.interfaces("network-interface-id", gone)), 0, "deleted with the instance")
	}
	equal(s.shown(s.third).Status, types.NetworkInterfaceStatusAvailable, "status of what is kept")
	equal(s.free(s.subnet), 251-2, "free addresses after the end")
}

func (s *session) takeDown() {
	check(s.tryDelete(s.third))
	check(s.tryDelete(s.spare))
	refused(s.tryDelete(s.spare), "InvalidNetworkInterfaceID.NotFound")
	for _, subnet := range []string{s.subnet, s.small, s.dual} {
		must(s.ec2.DeleteSubnet(s.ctx, &ec2.DeleteSubnetInput{SubnetId: &subnet}))
	}
	must(s.ec2.DeleteVpc(s.ctx, &ec2.DeleteVpcInput{VpcId: &s.vpc}))
}

// ---- what several steps ask ----

func by(name, value string) []types.Filter {
	return []types.Filter{{Name: &name, Values: []string{value}}}
}

func (s *session) create(subnet string) string {
	made := must(s.ec2.CreateNetworkInterface(s.ctx, &ec2.CreateNetworkInterfaceInput{SubnetId: &subnet}))
	return *made.NetworkInterface.NetworkInterfaceId
}

func (s *session) interfaces(name, value string) []types.NetworkInterface {
	return must(s.ec2.DescribeNetworkInterfaces(s.ctx,
		&ec2.DescribeNetworkInterfacesInput{Filters: by(name, value)})).NetworkInterfaces
}

func (s *session) shown(id string) types.NetworkInterface {
	found := s.interfaces("network-interface-id", id)
	equal(len(found), 1, "interfaces of id "+id)
	return found[0]
}

func (s *session) free(subnet string) int32 {
	found := must(s.ec2.DescribeSubnets(s.ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{subnet}}))
	return *found.Subnets[0].AvailableIpAddressCount
}

func (s *session) attach(id string, device int32) string {
	return *must(s.ec2.AttachNetworkInterface(s.ctx, &ec2.AttachNetworkInterfaceInput{
		NetworkInterfaceId: &id, InstanceId: &s.instance, DeviceIndex: &device,
	})).AttachmentId
}

func (s *session) tryAttach(id string, device int32) error {
	_, err := s.ec2.AttachNetworkInterface(s.ctx, &ec2.AttachNetworkInterfaceInput{
		NetworkInterfaceId: &id, InstanceId: &s.instance, DeviceIndex: &device,
	})
	return err
}

func (s *session) tryDelete(id string) error {
	_, err := s.ec2.DeleteNetworkInterface(s.ctx, &ec2.DeleteNetworkInterfaceInput{NetworkInterfaceId: &id})
	return err
}

// ---- checks ----

func must[T any](answer T, err error) T {
	check(err)
	return answer
}

func check(err error) {
	if err != nil {
		fail("refused: %v", err)
	}
}

func refused(err error, code string) {
	var api smithy.APIError
	if !errors.As(err, &api) {
		fail("not refused with %s: %v", code, err)
	}
	equal(api.ErrorCode(), code, "code of a refusal")
}

func equal[T comparable](seen, expected T, what string) {
	if seen != expected {
		fail("%s: %v, not %v", what, seen, expected)
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
