"""A session with EC2 as people hold it: a world is built, filled to its limits, and taken down.

  session.py boto3|cli ENDPOINT

The same calls go through boto3 or through the AWS command line, which takes and prints the same
structures. Every answer is checked; the first wrong one ends the session with exit code 1.
"""

import ipaddress
import json
import os
import re
import sys
import tempfile
import traceback

import awscli.clidriver
import boto3
import botocore.exceptions

REGION = "us-east-1"
IMAGE = "ami-0123456789abcdef0"


class Refused(Exception):
    """An error that EC2 answered."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Boto3:
    account = "111111111111"

    def __init__(self, endpoint):
        self.client = boto3.client(
            "ec2",
            endpoint_url=endpoint,
            region_name=REGION,
            aws_access_key_id=self.account,
            aws_secret_access_key="unchecked",
            config=boto3.session.Config(retries={"total_max_attempts": 1}),
        )

    def call(self, operation, **parameters):
        try:
            return getattr(self.client, operation)(**parameters)
        except botocore.exceptions.ClientError as refused:
            raise Refused(refused.response["Error"]["Code"]) from refused

    def pages(self, operation, size, **parameters):
        paginator = self.client.get_paginator(operation)
        return list(paginator.paginate(PaginationConfig={"PageSize": size}, **parameters))


class Cli:
    """Each command is a process of its own, with the command line's code loaded before it begins."""

    account = "222222222222"

    def __init__(self, endpoint):
        self.options = ["--endpoint-url", endpoint, "--region", REGION, "--output", "json"]
        data = os.environ["AWS_DATA_PATH"]  # the import of awscli set it
        os.environ.clear()  # nothing of the machine's own settings
        os.environ.update(
            AWS_DATA_PATH=data,
            AWS_ACCESS_KEY_ID=self.account,
            AWS_SECRET_ACCESS_KEY="unchecked",
            AWS_MAX_ATTEMPTS="1",
            AWS_EC2_METADATA_DISABLED="true",
            AWS_CONFIG_FILE="/dev/null",
            AWS_SHARED_CREDENTIALS_FILE="/dev/null",
        )
        self.aws = awscli.clidriver.create_clidriver()
        self.aws.session.get_service_model("ec2")

    def call(self, operation, *more, **parameters):
        command = ["ec2", operation.replace("_", "-")] + self.options + list(more)
        status, out, err = self.run(command + ["--cli-input-json", json.dumps(parameters)])
        if status == 0:
            return json.loads(out or "{}")
        code = re.search(r"An error occurred \(([\w.]+)\)", err)
        if code is None:
            raise AssertionError(f"aws ec2 {operation} ended with {status}: {err}")
        raise Refused(code.group(1))

    def run(self, command):
        """Exit code, output and errors of a command."""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                status = 255
                try:
                    os.dup2(out.fileno(), 1)
                    os.dup2(err.fileno(), 2)
                    status = self.aws.main(command)
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            err.seek(0)
            return status, out.read(), err.read()

    def pages(self, operation, size, **parameters):
        return [self.call(operation, "--page-size", str(size), **parameters)]


class Session:
    def __init__(self, ec2):
        self.ec2 = ec2
        self.calls = 0

    def call(self, operation, **parameters):
        self.calls += 1
        return self.ec2.call(operation, **parameters)

    def refused(self, code, operation, **parameters):
        try:
            answer = self.call(operation, **parameters)
        except Refused as refused:
            equal(refused.code, code, f"{operation} with {parameters}")
        else:
            raise AssertionError(f"{operation} with {parameters} was not refused: {answer}")

    # ---- what several steps ask ----

    def interface(self, subnet, **parameters):
        made = self.call("create_network_interface", SubnetId=subnet, **parameters)
        return made["NetworkInterface"]

    def interfaces(self, name, value):
        filters = [{"Name": name, "Values": [value]}]
        return self.call("describe_network_interfaces", Filters=filters)["NetworkInterfaces"]

    def shown(self, interface):
        found = self.interfaces("network-interface-id", interface)
        equal(len(found), 1, f"interfaces of id {interface}")
        return found[0]

    def free(self, subnet):
        found = self.call("describe_subnets", SubnetIds=[subnet])["Subnets"]
        return found[0]["AvailableIpAddressCount"]

    # ---- the steps ----

    def run(self):
        self.build()
        self.describe_types()
        self.launch()
        self.prefixes()
        self.address_limit()
        self.attach_limits()
        self.exhaustion()
        self.tokens()
        self.paging()
        self.dry_run()
        self.terminate()
        self.take_down()

    def build(self):
        tags = [{"ResourceType": "vpc", "Tags": [{"Key": "Name", "Value": "session"}]}]
        vpc = self.call("create_vpc", CidrBlock="10.40.0.0/16", TagSpecifications=tags)["Vpc"]
        self.vpc = vpc["VpcId"]
        named = [{"Name": "tag:Name", "Values": ["session"]}]
        found = self.call("describe_vpcs", Filters=named)["Vpcs"]
        equal([one["VpcId"] for one in found], [self.vpc], "VPCs by their name")
        self.subnet = self.make_subnet("10.40.0.0/24", 251)
        self.small = self.make_subnet("10.40.1.0/28", 11)
        self.group = self.call(
            "create_security_group", GroupName="pods", Description="of pods", VpcId=self.vpc
        )["GroupId"]
        self.refused("InvalidSubnet.Conflict", "create_subnet", VpcId=self.vpc, CidrBlock="10.40.1.0/28")
        self.refused("InvalidVpcID.NotFound", "describe_vpcs", VpcIds=["vpc-00000000000000000"])

    def make_subnet(self, block, free):
        made = self.call("create_subnet", VpcId=self.vpc, CidrBlock=block)["Subnet"]
        equal(made["AvailableIpAddressCount"], free, f"free addresses of a new {block}")
        return made["SubnetId"]

    def describe_types(self):
        asked = self.call("describe_instance_types", InstanceTypes=["m5.large"])["InstanceTypes"]
        network = asked[0]["NetworkInfo"]
        equal(network["MaximumNetworkInterfaces"], 3, "interfaces of an m5.large")
        equal(network["Ipv4AddressesPerInterface"], 10, "addresses of its interfaces")
        equal(len(network["NetworkCards"]), 1, "its network cards")
        self.refused("InvalidInstanceType", "describe_instance_types", InstanceTypes=["m5.tiny"])

    def launch(self):
        launched = self.call(
            "run_instances",
            ImageId=IMAGE,
            InstanceType="m5.large",
            MinCount=1,
            MaxCount=1,
            SubnetId=self.subnet,
        )["Instances"]
        self.instance = launched[0]["InstanceId"]
        found = self.call("describe_instances", InstanceIds=[self.instance])["Reservations"]
        instance = found[0]["Instances"][0]
        equal(instance["State"]["Name"], "running", "state")
        self.primary = instance["NetworkInterfaces"][0]["NetworkInterfaceId"]
        equal(self.free(self.subnet), 250, "free addresses with one instance")

    def prefixes(self):
        made = self.interface(self.subnet, Ipv4PrefixCount=1, Groups=[self.group])
        self.second = made["NetworkInterfaceId"]
        prefix = made["Ipv4Prefixes"][0]["Ipv4Prefix"]
        # Not on a boundary of 16 addresses: an error of ipaddress.
        equal(ipaddress.ip_network(prefix).prefixlen, 28, "length of a prefix")
        equal(self.free(self.subnet), 250 - 1 - 16, "free addresses with a prefix")
        attached = self.call(
            "attach_network_interface",
            NetworkInterfaceId=self.second,
            InstanceId=self.instance,
            DeviceIndex=1,
        )
        self.attachment = attached["AttachmentId"]
        assigned = self.call(
            "assign_private_ip_addresses", NetworkInterfaceId=self.second, Ipv4PrefixCount=1
        )["AssignedIpv4Prefixes"]
        equal(len(assigned), 1, "prefixes in the answer of an assignment")
        shown = self.shown(self.second)
        equal(
            sorted(one["Ipv4Prefix"] for one in shown["Ipv4Prefixes"]),
            sorted([prefix, assigned[0]["Ipv4Prefix"]]),
            "prefixes of the interface",
        )
        equal(shown["Status"], "in-use", "status of an attached interface")
        equal([one["GroupId"] for one in shown["Groups"]], [self.group], "its groups")
        self.call(
            "unassign_private_ip_addresses", NetworkInterfaceId=self.second, Ipv4Prefixes=[prefix]
        )
        equal(len(self.shown(self.second)["Ipv4Prefixes"]), 1, "prefixes after taking one")
        equal(self.free(self.subnet), 250 - 1 - 16, "free addresses after taking one")

    def address_limit(self):
        assigned = self.call(
            "assign_private_ip_addresses",
            NetworkInterfaceId=self.second,
            SecondaryPrivateIpAddressCount=8,
        )["AssignedPrivateIpAddresses"]
        equal(len({one["PrivateIpAddress"] for one in assigned}), 8, "addresses assigned")
        for wanted in ({"SecondaryPrivateIpAddressCount": 1}, {"Ipv4PrefixCount": 1}):
            self.refused(
                "PrivateIpAddressLimitExceeded",
                "assign_private_ip_addresses",
                NetworkInterfaceId=self.second,
                **wanted,
            )
        equal(len(self.shown(self.second)["PrivateIpAddresses"]), 9, "addresses after a refusal")

    def attach_limits(self):
        self.third = self.interface(self.subnet)["NetworkInterfaceId"]
        self.spare = self.interface(self.subnet)["NetworkInterfaceId"]
        self.refused(
            "InvalidParameterValue",
            "attach_network_interface",
            NetworkInterfaceId=self.third,
            InstanceId=self.instance,
            DeviceIndex=1,
        )
        self.call(
            "attach_network_interface",
            NetworkInterfaceId=self.third,
            InstanceId=self.instance,
            DeviceIndex=2,
        )
        self.refused(
            "AttachmentLimitExceeded",
            "attach_network_interface",
            NetworkInterfaceId=self.spare,
            InstanceId=self.instance,
            DeviceIndex=3,
        )
        self.refused(
            "InvalidParameterValue", "delete_network_interface", NetworkInterfaceId=self.third
        )
        equal(len(self.interfaces("attachment.instance-id", self.instance)), 3, "attached")

    def exhaustion(self):
        self.refused(
            "InsufficientCidrBlocks", "create_network_interface", SubnetId=self.small, Ipv4PrefixCount=1
        )
        full = self.interface(self.small, SecondaryPrivateIpAddressCount=10)
        equal(len(full["PrivateIpAddresses"]), 11, "addresses of the interface that takes all")
        equal(self.free(self.small), 0, "free addresses of a full subnet")
        self.refused(
            "InsufficientFreeAddressesInSubnet", "create_network_interface", SubnetId=self.small
        )
        self.refused("DependencyViolation", "delete_subnet", SubnetId=self.small)
        self.call("delete_network_interface", NetworkInterfaceId=full["NetworkInterfaceId"])
        equal(self.free(self.small), 11, "free addresses once it is gone")

    def tokens(self):
        first = self.interface(self.small, ClientToken="session-1", Description="once")
        again = self.interface(self.small, ClientToken="session-1", Description="once")
        equal(again["NetworkInterfaceId"], first["NetworkInterfaceId"], "id by the same token")
        self.refused(
            "IdempotentParameterMismatch",
            "create_network_interface",
            SubnetId=self.small,
            ClientToken="session-1",
            Description="twice",
        )
        self.call("delete_network_interface", NetworkInterfaceId=first["NetworkInterfaceId"])

    def paging(self):
        more = [self.interface(self.small)["NetworkInterfaceId"] for _ in range(7)]
        every = [one["NetworkInterfaceId"] for one in self.interfaces("vpc-id", self.vpc)]
        equal(len(every), 4 + 7, "interfaces of the VPC")
        of_vpc = [{"Name": "vpc-id", "Values": [self.vpc]}]
        pages = self.ec2.pages("describe_network_interfaces", 5, Filters=of_vpc)
        paged = [one["NetworkInterfaceId"] for page in pages for one in page["NetworkInterfaces"]]
        equal(sorted(paged), sorted(every), "interfaces in pages")
        self.refused(
            "InvalidParameterCombination",
            "describe_network_interfaces",
            NetworkInterfaceIds=more,
            MaxResults=5,
        )
        for interface in more:
            self.call("delete_network_interface", NetworkInterfaceId=interface)

    def dry_run(self):
        self.refused(
            "DryRunOperation", "create_network_interface", SubnetId=self.small, DryRun=True
        )
        self.refused("UnsupportedOperation", "describe_bundle_tasks")

    def terminate(self):
        self.call(
            "modify_network_interface_attribute",
            NetworkInterfaceId=self.second,
            Attachment={"AttachmentId": self.attachment, "DeleteOnTermination": True},
        )
        self.call("terminate_instances", InstanceIds=[self.instance])
        found = self.call("describe_instances", InstanceIds=[self.instance])["Reservations"]
        equal(found[0]["Instances"][0]["State"]["Name"], "terminated", "state")
        for gone in (self.primary, self.second):
            equal(self.interfaces("network-interface-id", gone), [], "deleted with the instance")
        equal(self.shown(self.third)["Status"], "available", "status of what is kept")
        equal(self.free(self.subnet), 251 - 2, "free addresses after the end")

    def take_down(self):
        for interface in (self.third, self.spare):
            self.call("delete_network_interface", NetworkInterfaceId=interface)
        self.refused(
            "InvalidNetworkInterfaceID.NotFound",
            "delete_network_interface",
            NetworkInterfaceId=self.spare,
        )
        self.call("delete_security_group", GroupId=self.group)
        for subnet in (self.subnet, self.small):
            self.call("delete_subnet", SubnetId=subnet)
        self.call("delete_vpc", VpcId=self.vpc)
        self.refused("InvalidVpcID.NotFound", "describe_vpcs", VpcIds=[self.vpc])


def equal(seen, expected, what):
    if seen != expected:
        raise AssertionError(f"{what}: {seen!r}, not {expected!r}")


def main():
    clients = {"boto3": Boto3, "cli": Cli}
    if len(sys.argv) != 3 or sys.argv[1] not in clients:
        sys.exit(__doc__)
    session = Session(clients[sys.argv[1]](sys.argv[2]))
    session.run()
    print(f"{sys.argv[1]}: {session.calls} calls, every answer as expected")


if __name__ == "__main__":
    main()
