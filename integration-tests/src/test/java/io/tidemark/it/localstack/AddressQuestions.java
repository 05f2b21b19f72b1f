package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.addresses;

import io.tidemark.it.localstack.Question.Topic;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.PrivateIpAddressSpecification;
import software.amazon.awssdk.services.ec2.model.SubnetCidrReservationType;

/** Prefixes, single addresses, their count, and what a reservation keeps back. */
final class AddressQuestions {
  private static final Topic PREFIX = new Topic("Prefixes");
  private static final Topic ADDRESS = new Topic("Addresses");
  private static final Topic RESERVATION = new Topic("CIDR reservations");
  private static final String PREFIXES =
      "Assign prefixes to network interfaces (EC2 User Guide): a prefix is a free, aligned /28";
  private static final String RESERVED =
      "Subnet CIDR blocks (VPC User Guide): the first four addresses and the last are not available";
  private static final String RESERVATIONS = "Subnet CIDR reservations (VPC User Guide)";

  private AddressQuestions() {}

  static List<Question> all() {
    return List.of(
        PREFIX.asks(
            "How many prefixes does an interface have that is made with two?",
            PREFIXES,
            s -> s.shown(s.eni(r -> r.ipv4PrefixCount(2))).ipv4Prefixes().size()),
        PREFIX.asks(
            "How many prefixes does the answer to their assignment list?",
            "AssignPrivateIpAddresses, response elements: assignedIpv4PrefixSet",
            s -> s.assign(s.eni(), r -> r.ipv4PrefixCount(2)).assignedIpv4Prefixes().size()),
        PREFIX.asks(
            "Is a prefix assigned that is named?",
            "AssignPrivateIpAddresses, Ipv4Prefix.N",
            s -> {
              String eni = s.eni();
              s.assign(eni, r -> r.ipv4Prefixes("10.0.1.32/28"));
              return s.shown(eni).ipv4Prefixes().size() == 1;
            }),
        PREFIX.asks(
            "A named prefix that is not aligned?",
            PREFIXES,
            s -> {
              String eni = s.eni();
              s.assign(eni, r -> r.ipv4Prefixes("10.0.1.40/28"));
              return s.shown(eni).ipv4Prefixes().size();
            }),
        PREFIX.asks(
            "How many of a /24's 251 addresses are left after an interface with one prefix?",
            "Subnet, availableIpAddressCount; a prefix takes 16 addresses",
            s -> {
              s.eni(r -> r.ipv4PrefixCount(1));
              return s.free(s.subnet());
            }),
        PREFIX.does(
            "A prefix in a /28 subnet?",
            "Assign prefixes: reserved addresses leave no free /28; EC2 error codes",
            s -> s.eni(s.subnet("10.0.1.0/28"), r -> r.ipv4PrefixCount(1))),
        PREFIX.does(
            "A prefix in a subnet whose every /28 holds one address?",
            "Assign prefixes: fragmentation makes the request fail with InsufficientCidrBlocks",
            s -> {
              String subnet = s.subnet("10.0.1.0/26");
              for (int block = 1; block < 4; block++) {
                String address = "10.0.1." + (16 * block + 5);
                s.eni(subnet, r -> r.privateIpAddress(address));
              }
              s.ec2()
                  .assignPrivateIpAddresses(
                      r ->
                          r.networkInterfaceId(
                                  s.shownBy("subnet-id", subnet).get(0).networkInterfaceId())
                              .ipv4PrefixCount(1));
            }),
        PREFIX.does(
            "A count of prefixes together with a count of addresses?",
            "CreateNetworkInterface, Ipv4PrefixCount: not with other address options",
            s -> s.eni(r -> r.ipv4PrefixCount(1).secondaryPrivateIpAddressCount(1))),
        PREFIX.does(
            "A prefix on an instance that is not built on Nitro?",
            "Assign prefixes: supported on instances built on the Nitro System",
            s -> s.assign(s.primary(s.instance(InstanceType.M4_LARGE)), r -> r.ipv4PrefixCount(1))),
        PREFIX.asks(
            "How many of m5.large's nine secondary places are left after two prefixes?",
            "Assign prefixes: each prefix takes one of the interface's address places",
            s -> {
              String eni = s.primary(s.instance());
              s.assign(eni, r -> r.ipv4PrefixCount(2));
              int left = 0;
              while (left < 12 && fits(s, eni)) {
                left++;
              }
              return left;
            }),
        PREFIX.does(
            "A prefix taken from an interface that has it not?",
            "UnassignPrivateIpAddresses: only what is assigned",
            s -> s.unassign(s.eni(), r -> r.ipv4Prefixes("10.0.1.32/28"))),
        ADDRESS.asks(
            "How many addresses does a new /28 tell as available?",
            RESERVED,
            s -> s.free(s.subnet("10.0.1.0/28"))),
        ADDRESS.does(
            "An interface with the subnet's first host address?",
            RESERVED,
            s -> s.eni(r -> r.privateIpAddress("10.0.1.1"))),
        ADDRESS.does(
            "An interface with the subnet's last address?",
            RESERVED,
            s -> s.eni(r -> r.privateIpAddress("10.0.1.255"))),
        ADDRESS.does(
            "An interface with an address outside of its subnet?",
            "CreateNetworkInterface, PrivateIpAddress: from the subnet's range",
            s -> s.eni(r -> r.privateIpAddress("10.0.2.9"))),
        ADDRESS.does(
            "An address that another interface has?",
            "EC2 error codes, InvalidIPAddress.InUse",
            s -> {
              s.eni(r -> r.privateIpAddress("10.0.1.9"));
              s.eni(r -> r.privateIpAddress("10.0.1.9"));
            }),
        ADDRESS.asks(
            "How many of a /24's 251 addresses are left when one of three was taken back?",
            "Subnet, availableIpAddressCount: unused addresses",
            s -> {
              String eni = s.eni(r -> r.privateIpAddress("10.0.1.10"));
              s.assign(eni, r -> r.privateIpAddresses("10.0.1.20", "10.0.1.21"));
              s.unassign(eni, r -> r.privateIpAddresses("10.0.1.21"));
              return s.free(s.subnet());
            }),
        ADDRESS.does(
            "Twelve addresses of a /28, which has eleven?",
            "EC2 error codes, InsufficientFreeAddressesInSubnet",
            s -> s.eni(s.subnet("10.0.1.0/28"), r -> r.secondaryPrivateIpAddressCount(11))),
        ADDRESS.asks(
            "How many addresses are left after all of a /28 were taken one by one?",
            "Subnet, availableIpAddressCount: unused addresses",
            s -> {
              String subnet = s.subnet("10.0.1.0/28");
              IntStream.range(0, 11).forEach(i -> s.eni(subnet));
              return s.free(subnet);
            }),
        ADDRESS.asks(
            "Are fifty addresses of EC2's choice in a /26 all different and none reserved?",
            RESERVED,
            s -> {
              List<String> all =
                  addresses(
                      s.shown(
                          s.eni(
                              s.subnet("10.0.1.0/26"), r -> r.secondaryPrivateIpAddressCount(49))));
              return new HashSet<>(all).size() == 50
                  && all.stream().noneMatch(a -> a.matches("10\\.0\\.1\\.([0-3]|63)"));
            }),
        ADDRESS.asks(
            "How many addresses does the answer list when two are added to two?",
            "AssignPrivateIpAddresses, response elements: what was assigned",
            s ->
                s.assign(
                        s.eni(r -> r.secondaryPrivateIpAddressCount(1)),
                        r -> r.secondaryPrivateIpAddressCount(2))
                    .assignedPrivateIpAddresses()
                    .size()),
        ADDRESS.does(
            "An assignment of nothing?",
            "AssignPrivateIpAddresses: a count, addresses or prefixes must be given",
            s -> {
              String eni = s.eni();
              s.ec2().assignPrivateIpAddresses(r -> r.networkInterfaceId(eni));
            }),
        ADDRESS.does(
            "A tenth secondary address on m5.large?",
            "IP addresses per network interface per instance type: m5.large has ten in all",
            s -> s.assign(s.primary(s.instance()), r -> r.secondaryPrivateIpAddressCount(10))),
        ADDRESS.does(
            "Two addresses that are marked as primary?",
            "CreateNetworkInterface, PrivateIpAddresses.N: only one is primary",
            s -> s.eni(r -> r.privateIpAddresses(primary("10.0.1.9"), primary("10.0.1.10")))),
        ADDRESS.does(
            "The primary address unassigned?",
            "UnassignPrivateIpAddresses: secondary addresses only",
            s ->
                s.unassign(
                    s.eni(r -> r.privateIpAddress("10.0.1.9")),
                    r -> r.privateIpAddresses("10.0.1.9"))),
        ADDRESS.does(
            "An address unassigned that the interface has not?",
            "UnassignPrivateIpAddresses: only what is assigned",
            s ->
                s.unassign(
                    s.eni(r -> r.privateIpAddress("10.0.1.9")),
                    r -> r.privateIpAddresses("10.0.1.77"))),
        ADDRESS.asks(
            "Another interface's secondary address assigned without AllowReassignment?",
            "AssignPrivateIpAddresses, AllowReassignment",
            s -> moved(s, false)),
        ADDRESS.asks(
            "And with it: does the other interface lose it?",
            "AssignPrivateIpAddresses, AllowReassignment",
            s -> moved(s, true)),
        RESERVATION.does(
            "Five interfaces in a /28 whose upper half is reserved as explicit?",
            RESERVATIONS + ": explicit, AWS does not assign from it by itself",
            s -> {
              String subnet = s.subnet("10.0.1.0/28");
              reserve(s, subnet, "10.0.1.8/29");
              IntStream.range(0, 5).forEach(i -> s.eni(subnet));
            }),
        RESERVATION.asks(
            "An address of a reservation that is named?",
            RESERVATIONS + ": explicit, addresses are assigned by hand",
            s -> {
              reserve(s, s.subnet(), "10.0.1.128/25");
              return s.shown(s.eni(r -> r.privateIpAddress("10.0.1.200"))).privateIpAddress();
            }),
        RESERVATION.does(
            "Two reservations that overlap?",
            RESERVATIONS + ": ranges do not overlap",
            s -> {
              reserve(s, s.subnet(), "10.0.1.128/25");
              reserve(s, s.subnet(), "10.0.1.192/26");
            }),
        RESERVATION.does(
            "A reservation outside of the subnet?",
            RESERVATIONS + ": within the subnet's block",
            s -> reserve(s, s.subnet(), "10.0.2.0/28")),
        RESERVATION.asks(
            "How many reservations does a subnet list after one was deleted of two?",
            "GetSubnetCidrReservations",
            s -> {
              reserve(s, s.subnet(), "10.0.1.128/28");
              String gone = reserve(s, s.subnet(), "10.0.1.144/28");
              s.ec2().deleteSubnetCidrReservation(r -> r.subnetCidrReservationId(gone));
              return s.ec2()
                  .getSubnetCidrReservations(r -> r.subnetId(s.subnet()))
                  .subnetIpv4CidrReservations()
                  .size();
            }));
  }

  private static boolean fits(Scene s, String eni) {
    int before = s.shown(eni).privateIpAddresses().size();
    try {
      s.assign(eni, r -> r.secondaryPrivateIpAddressCount(1));
    } catch (Ec2Exception full) {
      return false;
    }
    return s.shown(eni).privateIpAddresses().size() > before;
  }

  private static Object moved(Scene s, boolean allowed) {
    String from = s.eni(r -> r.privateIpAddress("10.0.1.9"));
    String to = s.eni(r -> r.privateIpAddress("10.0.1.10"));
    s.assign(from, r -> r.privateIpAddresses("10.0.1.50"));
    s.assign(to, r -> r.privateIpAddresses("10.0.1.50").allowReassignment(allowed));
    return s.shown(from).privateIpAddresses().size() == 1;
  }

  private static PrivateIpAddressSpecification primary(String address) {
    return PrivateIpAddressSpecification.builder().privateIpAddress(address).primary(true).build();
  }

  private static String reserve(Scene s, String subnet, String block) {
    return s.ec2()
        .createSubnetCidrReservation(
            r -> r.subnetId(subnet).cidr(block).reservationType(SubnetCidrReservationType.EXPLICIT))
        .subnetCidrReservation()
        .subnetCidrReservationId();
  }
}
