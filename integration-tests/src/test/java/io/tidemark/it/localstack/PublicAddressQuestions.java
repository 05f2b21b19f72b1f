package io.tidemark.it.localstack;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** IPv6 and elastic addresses. */
final class PublicAddressQuestions {
  private static final Topic IPV6 = new Topic("IPv6");
  private static final Topic ELASTIC_ADDRESS = new Topic("Elastic addresses");
  private static final String ELASTIC = "Elastic IP addresses (EC2 User Guide)";

  private PublicAddressQuestions() {}

  static List<Question> all() {
    return List.of(
        IPV6.asks(
            "How many IPv6 addresses has an interface made with two?",
            "CreateNetworkInterface, Ipv6AddressCount",
            s -> s.shown(s.dualStackEni(r -> r.ipv6AddressCount(2))).ipv6Addresses().size()),
        IPV6.asks(
            "How many of two that are assigned later?",
            "AssignIpv6Addresses, Ipv6AddressCount",
            s -> {
              String eni = s.dualStackEni(r -> {});
              s.assignIpv6(eni, r -> r.ipv6AddressCount(2));
              return s.shown(eni).ipv6Addresses().size();
            }),
        IPV6.does(
            "IPv6 addresses in a subnet without an IPv6 block?",
            "AssignIpv6Addresses: from the subnet's IPv6 block",
            s -> s.assignIpv6(s.eni(), r -> r.ipv6AddressCount(1))),
        IPV6.does(
            "An IPv6 address outside of the subnet's block?",
            "AssignIpv6Addresses: from the subnet's IPv6 block",
            s -> s.assignIpv6(s.dualStackEni(r -> {}), r -> r.ipv6Addresses("2001:db8::5"))),
        IPV6.asks(
            "How many IPv6 prefixes has an interface made with one?",
            "CreateNetworkInterface, Ipv6PrefixCount: a /80",
            s -> s.shown(s.dualStackEni(r -> r.ipv6PrefixCount(1))).ipv6Prefixes().size()),
        IPV6.asks(
            "How many IPv6 prefixes does the answer to their assignment list?",
            "AssignIpv6Addresses, assignedIpv6PrefixSet",
            s ->
                s.assignIpv6(s.dualStackEni(r -> {}), r -> r.ipv6PrefixCount(2))
                    .assignedIpv6Prefixes()
                    .size()),
        IPV6.asks(
            "How many IPv6 addresses has an interface launched with two?",
            "InstanceNetworkInterfaceSpecification, Ipv6AddressCount",
            s -> {
              String subnet = s.dualStackSubnet();
              s.launched(
                  r ->
                      r.networkInterfaces(
                          InstanceNetworkInterfaceSpecification.builder()
                              .deviceIndex(0)
                              .subnetId(subnet)
                              .ipv6AddressCount(2)
                              .build()));
              return s.shownBy("subnet-id", subnet).get(0).ipv6Addresses().size();
            }),
        IPV6.does(
            "An IPv6 address unassigned that the interface has not?",
            "UnassignIpv6Addresses: only what is assigned",
            s -> s.unassignIpv6(s.dualStackEni(r -> {}), r -> r.ipv6Addresses("2001:db8::5"))),
        ELASTIC_ADDRESS.does(
            "An elastic address associated with two interfaces, reassociation not allowed?",
            "AssociateAddress, AllowReassociation",
            s -> {
              String address = allocate(s);
              associate(s, address, s.eni(), false);
              associate(s, address, s.eni(), false);
            }),
        ELASTIC_ADDRESS.asks(
            "And when it is allowed: does it leave the first one?",
            "AssociateAddress, AllowReassociation",
            s -> {
              String address = allocate(s);
              String first = s.eni();
              associate(s, address, first, false);
              associate(s, address, s.eni(), true);
              return s.shown(first).association() == null;
            }),
        ELASTIC_ADDRESS.asks(
            "Does an interface tell its elastic address?",
            "NetworkInterfaceAssociation, publicIp",
            s -> {
              String address = allocate(s);
              String eni = s.eni();
              associate(s, address, eni, false);
              NetworkInterface shown = s.shown(eni);
              return shown.association() != null && shown.association().publicIp() != null;
            }),
        ELASTIC_ADDRESS.does(
            "An associated address released?",
            "ReleaseAddress: disassociate it first, InvalidIPAddress.InUse",
            s -> {
              String address = allocate(s);
              associate(s, address, s.eni(), false);
              s.ec2().releaseAddress(r -> r.allocationId(address));
            }),
        ELASTIC_ADDRESS.does(
            "A sixth elastic address?",
            "EC2 error codes, AddressLimitExceeded; quota of five",
            s -> IntStream.range(0, 6).forEach(i -> allocate(s))),
        ELASTIC_ADDRESS.asks(
            "Is an address free after its interface is deleted?",
            ELASTIC,
            s -> {
              String address = allocate(s);
              String eni = s.eni();
              associate(s, address, eni, false);
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
              return isFree(s, address);
            }),
        ELASTIC_ADDRESS.asks(
            "Is an address free after its private address is unassigned?",
            "UnassignPrivateIpAddresses",
            s -> {
              String address = allocate(s);
              String eni = s.eni(r -> r.privateIpAddress("10.0.1.9"));
              s.assign(eni, r -> r.privateIpAddresses("10.0.1.77"));
              s.ec2()
                  .associateAddress(
                      r ->
                          r.allocationId(address)
                              .networkInterfaceId(eni)
                              .privateIpAddress("10.0.1.77"));
              s.unassign(eni, r -> r.privateIpAddresses("10.0.1.77"));
              return isFree(s, address);
            }),
        ELASTIC_ADDRESS.does(
            "An address that does not exist?",
            "EC2 error codes, InvalidAllocationID.NotFound",
            s -> associate(s, "eipalloc-0123456789abcdef0", s.eni(), false)));
  }

  private static String allocate(Scene s) {
    return s.ec2().allocateAddress(r -> r.domain("vpc")).allocationId();
  }

  private static void associate(Scene s, String address, String eni, boolean again) {
    s.ec2()
        .associateAddress(
            r -> r.allocationId(address).networkInterfaceId(eni).allowReassociation(again));
  }

  private static boolean isFree(Scene s, String address) {
    String association =
        s.ec2().describeAddresses(r -> r.allocationIds(address)).addresses().get(0).associationId();
    return association == null || association.isEmpty();
  }
}
