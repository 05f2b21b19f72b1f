package io.tidemark.it.localstack;

import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** IPv6 and elastic addresses. */
final class PublicAddressQuestions {
  private static final String BLOCK = "10.0.1.0/24";
  private static final String ELASTIC = "Elastic IP addresses (EC2 User Guide)";

  private PublicAddressQuestions() {}

  static List<Question> all() {
    return List.of(
        ipv6(
            "How many IPv6 addresses has an interface made with two?",
            "CreateNetworkInterface, Ipv6AddressCount",
            s ->
                s.shown(s.eni(s.dualStackSubnet(BLOCK), r -> r.ipv6AddressCount(2)))
                    .ipv6Addresses()
                    .size()),
        ipv6(
            "How many of two that are assigned later?",
            "AssignIpv6Addresses, Ipv6AddressCount",
            s -> {
              String eni = s.eni(s.dualStackSubnet(BLOCK));
              s.ec2().assignIpv6Addresses(r -> r.networkInterfaceId(eni).ipv6AddressCount(2));
              return s.shown(eni).ipv6Addresses().size();
            }),
        ipv6(
            "IPv6 addresses in a subnet without an IPv6 block?",
            "AssignIpv6Addresses: from the subnet's IPv6 block",
            s -> {
              String eni = s.eni(s.subnet(BLOCK));
              s.ec2().assignIpv6Addresses(r -> r.networkInterfaceId(eni).ipv6AddressCount(1));
              return "done";
            }),
        ipv6(
            "An IPv6 address outside of the subnet's block?",
            "AssignIpv6Addresses: from the subnet's IPv6 block",
            s -> {
              String eni = s.eni(s.dualStackSubnet(BLOCK));
              s.ec2()
                  .assignIpv6Addresses(r -> r.networkInterfaceId(eni).ipv6Addresses("2001:db8::5"));
              return "done";
            }),
        ipv6(
            "How many IPv6 prefixes has an interface made with one?",
            "CreateNetworkInterface, Ipv6PrefixCount: a /80",
            s ->
                s.shown(s.eni(s.dualStackSubnet(BLOCK), r -> r.ipv6PrefixCount(1)))
                    .ipv6Prefixes()
                    .size()),
        ipv6(
            "How many IPv6 prefixes does the answer to their assignment list?",
            "AssignIpv6Addresses, assignedIpv6PrefixSet",
            s -> {
              String eni = s.eni(s.dualStackSubnet(BLOCK));
              return s.ec2()
                  .assignIpv6Addresses(r -> r.networkInterfaceId(eni).ipv6PrefixCount(2))
                  .assignedIpv6Prefixes()
                  .size();
            }),
        ipv6(
            "How many IPv6 addresses has an interface launched with two?",
            "InstanceNetworkInterfaceSpecification, Ipv6AddressCount",
            s -> {
              String subnet = s.dualStackSubnet(BLOCK);
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
        ipv6(
            "An IPv6 address unassigned that the interface has not?",
            "UnassignIpv6Addresses: only what is assigned",
            s -> {
              String eni = s.eni(s.dualStackSubnet(BLOCK));
              s.ec2()
                  .unassignIpv6Addresses(
                      r -> r.networkInterfaceId(eni).ipv6Addresses("2001:db8::5"));
              return "done";
            }),
        elastic(
            "An elastic address associated with two interfaces, reassociation not allowed?",
            "AssociateAddress, AllowReassociation",
            s -> {
              String subnet = s.subnet(BLOCK);
              String address = allocate(s);
              associate(s, address, s.eni(subnet), false);
              associate(s, address, s.eni(subnet), false);
              return "done";
            }),
        elastic(
            "And when it is allowed: does it leave the first one?",
            "AssociateAddress, AllowReassociation",
            s -> {
              String subnet = s.subnet(BLOCK);
              String address = allocate(s);
              String first = s.eni(subnet);
              associate(s, address, first, false);
              associate(s, address, s.eni(subnet), true);
              return s.shown(first).association() == null;
            }),
        elastic(
            "Does an interface tell its elastic address?",
            "NetworkInterfaceAssociation, publicIp",
            s -> {
              String address = allocate(s);
              String eni = s.eni(s.subnet(BLOCK));
              associate(s, address, eni, false);
              NetworkInterface shown = s.shown(eni);
              return shown.association() != null && shown.association().publicIp() != null;
            }),
        elastic(
            "An associated address released?",
            "ReleaseAddress: disassociate it first, InvalidIPAddress.InUse",
            s -> {
              String address = allocate(s);
              associate(s, address, s.eni(s.subnet(BLOCK)), false);
              s.ec2().releaseAddress(r -> r.allocationId(address));
              return "done";
            }),
        elastic(
            "A sixth elastic address?",
            "EC2 error codes, AddressLimitExceeded; quota of five",
            s -> {
              IntStream.range(0, 6).forEach(i -> allocate(s));
              return "done";
            }),
        elastic(
            "Is an address free after its interface is deleted?",
            ELASTIC,
            s -> {
              String address = allocate(s);
              String eni = s.eni(s.subnet(BLOCK));
              associate(s, address, eni, false);
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
              return isFree(s, address);
            }),
        elastic(
            "Is an address free after its private address is unassigned?",
            "UnassignPrivateIpAddresses",
            s -> {
              String address = allocate(s);
              String eni = s.eni(s.subnet(BLOCK), r -> r.privateIpAddress("10.0.1.9"));
              s.ec2()
                  .assignPrivateIpAddresses(
                      r -> r.networkInterfaceId(eni).privateIpAddresses("10.0.1.77"));
              s.ec2()
                  .associateAddress(
                      r ->
                          r.allocationId(address)
                              .networkInterfaceId(eni)
                              .privateIpAddress("10.0.1.77"));
              s.ec2()
                  .unassignPrivateIpAddresses(
                      r -> r.networkInterfaceId(eni).privateIpAddresses("10.0.1.77"));
              return isFree(s, address);
            }),
        elastic(
            "An address that does not exist?",
            "EC2 error codes, InvalidAllocationID.NotFound",
            s -> {
              associate(s, "eipalloc-0123456789abcdef0", s.eni(s.subnet(BLOCK)), false);
              return "done";
            }));
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

  private static Question ipv6(String text, String rule, Question.Ask ask) {
    return new Question("IPv6", text, rule, ask);
  }

  private static Question elastic(String text, String rule, Question.Ask ask) {
    return new Question("Elastic addresses", text, rule, ask);
  }
}
