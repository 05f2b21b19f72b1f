package io.tidemark.provider.aws.ec2;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfaceRequest;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.PrivateIpAddressSpecification;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Tag;

/**
 * The strict EC2 with one VPC, called by the real SDK without a socket, and who builds its world.
 */
@SuppressWarnings("unchecked") // the builders of the SDK take generic varargs
public final class EmulatedEc2 {
  private static final URI NOWHERE = URI.create("http://ec2.invalid");
  private static final String IMAGE = "ami-0123456789abcdef0";
  private static final int ADDRESSES_PER_REQUEST = 45;

  private final Ec2Emulator emulator;
  private final Ec2Client admin;
  private final Ec2Api api;
  private final String vpc;

  /** A world in the time that {@code time} shows. */
  public EmulatedEc2(TimeSource time, Ec2ModelOptions options) {
    this.emulator = Ec2Emulator.in(time, options);
    InProcessClient http = InProcessClient.of(emulator.handler());
    RenewableCredentials credentials =
        RenewableCredentials.fixed(Emulated.account(Emulated.ACCOUNT));
    this.admin = Emulated.client(http, NOWHERE, credentials);
    this.api = new SdkEc2Api(admin, credentials, 0);
    this.vpc = admin.createVpc(r -> r.cidrBlock("10.0.0.0/16")).vpc().vpcId();
  }

  public Ec2Emulator emulator() {
    return emulator;
  }

  /** The door that the provider gets. */
  public Ec2Api api() {
    return api;
  }

  public String vpc() {
    return vpc;
  }

  /** The zone where everything is. */
  public String zone() {
    return "us-east-1a";
  }

  public String subnet(String block) {
    return admin
        .createSubnet(r -> r.vpcId(vpc).cidrBlock(block).availabilityZone(zone()))
        .subnet()
        .subnetId();
  }

  /** A subnet with an IPv6 block beside; the VPC gets its own at the first. */
  public String dualStackSubnet(String block) {
    var blocks = admin.describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).ipv6CidrBlockAssociationSet();
    if (blocks.isEmpty()) {
      admin.associateVpcCidrBlock(r -> r.vpcId(vpc).amazonProvidedIpv6CidrBlock(true));
      blocks = admin.describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).ipv6CidrBlockAssociationSet();
    }
    String ipv6 = blocks.get(0).ipv6CidrBlock().replaceFirst("/56$", "/64");
    return admin
        .createSubnet(
            r -> r.vpcId(vpc).cidrBlock(block).ipv6CidrBlock(ipv6).availabilityZone(zone()))
        .subnet()
        .subnetId();
  }

  /** The IPv6 block of a subnet that has one. */
  public Cidr ipv6Block(String subnet) {
    return Cidr.parse(
        admin
            .describeSubnets(r -> r.subnetIds(subnet))
            .subnets()
            .get(0)
            .ipv6CidrBlockAssociationSet()
            .get(0)
            .ipv6CidrBlock());
  }

  /** Somebody gives a prefix to an interface of the instance. */
  public void assignPrefix(String instance, int deviceIndex, Cidr prefix) {
    String id = at(instance, deviceIndex);
    if (prefix.family() == IpFamily.IPV4) {
      admin.assignPrivateIpAddresses(r -> r.networkInterfaceId(id).ipv4Prefixes(prefix.toString()));
    } else {
      admin.assignIpv6Addresses(r -> r.networkInterfaceId(id).ipv6Prefixes(prefix.toString()));
    }
  }

  private String at(String instance, int deviceIndex) {
    return interfaces(instance).get(deviceIndex).id().text();
  }

  /** An interface of a type attached to an instance; answers its id. */
  public String attachOfType(String type, String subnet, String instance, int index) {
    String id = created(r -> r.subnetId(subnet).interfaceType(type));
    attach(id, instance, index);
    return id;
  }

  /** An interface that is attached to nothing; answers its id. */
  public String parked(String subnet, String description, Map<String, String> tags) {
    String id = created(r -> r.subnetId(subnet).description(description));
    mark(id, tags);
    return id;
  }

  private String created(Consumer<CreateNetworkInterfaceRequest.Builder> how) {
    return admin.createNetworkInterface(how).networkInterface().networkInterfaceId();
  }

  /** Attaches an interface to an instance at an index; answers the attachment's id. */
  public String attach(String id, String instance, int index) {
    return admin
        .attachNetworkInterface(
            r -> r.networkInterfaceId(id).instanceId(instance).deviceIndex(index))
        .attachmentId();
  }

  /** Somebody adds a single address to an interface of the instance. */
  public void single(String instance, int deviceIndex) {
    String id = at(instance, deviceIndex);
    admin.assignPrivateIpAddresses(r -> r.networkInterfaceId(id).secondaryPrivateIpAddressCount(1));
  }

  /** Somebody takes a single address from whichever interface holds it. */
  public void unassign(String instance, IpAddress address) {
    interfaces(instance).stream()
        .filter(each -> each.singles().contains(address))
        .forEach(
            each ->
                admin.unassignPrivateIpAddresses(
                    r ->
                        r.networkInterfaceId(each.id().text())
                            .privateIpAddresses(address.toString())));
  }

  public void detach(String attachment) {
    admin.detachNetworkInterface(r -> r.attachmentId(attachment));
  }

  /** Whether the interface exists. */
  public boolean exists(String id) {
    return !find("network-interface-id", id).isEmpty();
  }

  public String securityGroup(String name, Map<String, String> tags) {
    String id =
        admin.createSecurityGroup(r -> r.vpcId(vpc).groupName(name).description(name)).groupId();
    mark(id, tags);
    return id;
  }

  /** Answers the public address, which is EC2's choice. */
  public String publicAddress(Map<String, String> tags) {
    var allocated = admin.allocateAddress(r -> r.domain("vpc"));
    mark(allocated.allocationId(), tags);
    return allocated.publicIp();
  }

  /** Gives a public address to an interface of the instance; answers the address. */
  public String publicAddressOf(String instance, int deviceIndex) {
    var allocated = admin.allocateAddress(r -> r.domain("vpc"));
    String id = at(instance, deviceIndex);
    admin.associateAddress(r -> r.allocationId(allocated.allocationId()).networkInterfaceId(id));
    return allocated.publicIp();
  }

  public String launch(String type, String subnet, Map<String, String> primaryTags) {
    var instance = launched(type, r -> r.subnetId(subnet));
    mark(instance.networkInterfaces().get(0).networkInterfaceId(), primaryTags);
    return instance.instanceId();
  }

  private Instance launched(String type, Consumer<RunInstancesRequest.Builder> how) {
    return admin
        .runInstances(r -> how.accept(r.imageId(IMAGE).instanceType(type).minCount(1).maxCount(1)))
        .instances()
        .get(0);
  }

  /** Launches an instance whose own interface forgets idle TCP connections after so long. */
  public String launchForgetting(String type, String subnet, int tcpSeconds) {
    return launched(
            type,
            r ->
                r.networkInterfaces(
                    i ->
                        i.deviceIndex(0)
                            .subnetId(subnet)
                            .connectionTrackingSpecification(
                                c -> c.tcpEstablishedTimeout(tcpSeconds))))
        .instanceId();
  }

  public void stop(String instance) {
    admin.stopInstances(r -> r.instanceIds(instance));
  }

  public void start(String instance) {
    admin.startInstances(r -> r.instanceIds(instance));
  }

  /** Terminates an instance, and deletes what does not go with it. */
  public void terminate(String instance) {
    List<NetworkInterface> attached = attachedTo(instance);
    admin.terminateInstances(r -> r.instanceIds(instance));
    Set<String> left = new HashSet<>();
    available().forEach(each -> left.add(each.networkInterfaceId()));
    for (NetworkInterface each : attached) {
      if (left.contains(each.networkInterfaceId())) {
        delete(each.networkInterfaceId());
      }
    }
  }

  private void delete(String id) {
    admin.deleteNetworkInterface(r -> r.networkInterfaceId(id));
  }

  /** Somebody else takes these addresses. */
  public void occupy(String subnet, List<String> addresses) {
    for (int i = 0; i < addresses.size(); i += ADDRESSES_PER_REQUEST) {
      List<String> some =
          addresses.subList(i, Math.min(addresses.size(), i + ADDRESSES_PER_REQUEST));
      admin.createNetworkInterface(
          r ->
              r.subnetId(subnet)
                  .description("occupied")
                  .privateIpAddresses(
                      some.stream()
                          .map(
                              address ->
                                  PrivateIpAddressSpecification.builder()
                                      .privateIpAddress(address)
                                      .primary(address.equals(some.get(0)))
                                      .build())
                          .toList()));
    }
  }

  /** Somebody else takes of these addresses of the subnet those that are free, so many at most. */
  public void occupy(String subnet, Cidr block, IntStream offsets, int most) {
    AddressSet all = AddressSet.ofRange(block);
    Set<IpAddress> held = addressesIn(subnet);
    occupy(
        subnet,
        offsets
            .mapToObj(all::at)
            .filter(each -> !held.contains(each))
            .limit(Math.max(0, most))
            .map(IpAddress::toString)
            .toList());
  }

  /** Every address of the subnet that an interface holds, prefixes spelled out. */
  private Set<IpAddress> addressesIn(String subnet) {
    Set<IpAddress> held = new HashSet<>();
    for (NetworkInterface each : find("subnet-id", subnet)) {
      var read = InterfaceAnswer.read(each).orElseThrow();
      read.primary().ifPresent(held::add);
      held.addAll(read.singles().toList());
      read.prefixes().forEach(block -> held.addAll(AddressSet.ofRange(block).toList()));
    }
    return held;
  }

  public int freeAddresses(String subnet) {
    return admin
        .describeSubnets(r -> r.subnetIds(subnet))
        .subnets()
        .get(0)
        .availableIpAddressCount();
  }

  /** The attached interfaces of an instance, device indexes ascending. */
  public List<AwsNetworkInterface> interfaces(String instance) {
    return attachedTo(instance).stream()
        .sorted(Comparator.comparing(each -> each.attachment().deviceIndex()))
        .map(each -> InterfaceAnswer.read(each).orElseThrow())
        .toList();
  }

  /** Interfaces of ours that are attached to nothing. */
  public int unattached() {
    return unattachedIds().size();
  }

  /** Ids of the same. */
  public List<String> unattachedIds() {
    return available().stream()
        .filter(each -> !each.description().equals("occupied"))
        .map(NetworkInterface::networkInterfaceId)
        .toList();
  }

  /** Gives the first free address with these tags to an instance; answers the address. */
  public String associateFirst(Map<String, String> tags, String instance) {
    var free =
        admin
            .describeAddresses(r -> r.filters(SdkEc2Api.filters(Ec2Filter.ofTags(tags))))
            .addresses()
            .get(0);
    String id = at(instance, 0);
    admin.associateAddress(r -> r.allocationId(free.allocationId()).networkInterfaceId(id));
    return free.publicIp();
  }

  private List<NetworkInterface> attachedTo(String instance) {
    return find("attachment.instance-id", instance);
  }

  private List<NetworkInterface> available() {
    return find("status", "available");
  }

  private List<NetworkInterface> find(String filter, String value) {
    return admin
        .describeNetworkInterfacesPaginator(
            r -> r.maxResults(1000).filters(f -> f.name(filter).values(value)))
        .networkInterfaces()
        .stream()
        .toList();
  }

  /** Tags a thing. */
  public void mark(String id, Map<String, String> tags) {
    if (!tags.isEmpty()) {
      List<Tag> all = new ArrayList<>();
      new TreeMap<>(tags)
          .forEach((key, value) -> all.add(Tag.builder().key(key).value(value).build()));
      admin.createTags(r -> r.resources(id).tags(all));
    }
  }
}
