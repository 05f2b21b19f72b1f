package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.ip.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Associates elastic addresses with private ones. */
public record Ec2ElasticAddresses(Region region) {
  /**
   * Associates a public address with a private one of an interface.
   *
   * @param again whether it may lose its current association
   * @throws Ec2Refusal if the private address does not exist, or either is in use and {@code again}
   *     is false
   */
  public Ec2ElasticAddress.Association associate(
      Ec2ElasticAddress address,
      Ec2NetworkInterface target,
      Ipv4Address privateAddress,
      boolean again) {
    Ec2Refusal.when(
        target.addresses().ipv4().noneMatch(privateAddress::equals),
        "InvalidParameterValue",
        "The private IP address %s is not assigned to the network interface %s",
        privateAddress,
        target.id());
    Optional<Ec2ElasticAddress> other =
        of(target.id())
            .filter(a -> a.association().orElseThrow().isOf(target.id(), privateAddress))
            .filter(a -> !a.id().equals(address.id()))
            .findFirst();
    if (!again) {
      address
          .association()
          .ifPresent(
              present -> {
                throw Ec2Refusal.of(
                    "Resource.AlreadyAssociated",
                    "resource %s is already associated with associate-id %s",
                    address.id(),
                    present.id());
              });
      Ec2Refusal.when(
          other.isPresent(),
          "Resource.AlreadyAssociated",
          "resource %s is already associated with an address",
          target.id());
    }
    other.ifPresent(a -> region.elasticAddresses().put(a.withAssociation(Optional.empty())));
    Ec2ElasticAddress.Association made =
        new Ec2ElasticAddress.Association(
            region.newId(ResourceType.ELASTIC_IP_ASSOCIATION), target.id(), privateAddress);
    region.elasticAddresses().put(address.withAssociation(Optional.of(made)));
    return made;
  }

  /** The addresses associated with this interface. */
  public Stream<Ec2ElasticAddress> of(String interfaceId) {
    return region.elasticAddresses().presentBy(Region.INTERFACE_ID, interfaceId);
  }

  /** Ends the associations with private addresses that the interface loses. */
  void release(String interfaceId, Predicate<Ipv4Address> lost) {
    List<Ec2ElasticAddress> ended =
        of(interfaceId)
            .filter(a -> lost.test(a.association().orElseThrow().privateAddress()))
            .toList();
    ended.forEach(a -> region.elasticAddresses().put(a.withAssociation(Optional.empty())));
  }

  /** A public address follows its private address ("AssignPrivateIpAddresses"). */
  void move(Ipv4Address privateAddress, String from, String to) {
    List<Ec2ElasticAddress> moved =
        of(from)
            .filter(a -> a.association().orElseThrow().privateAddress().equals(privateAddress))
            .toList();
    for (Ec2ElasticAddress address : moved) {
      String id = address.association().orElseThrow().id();
      region
          .elasticAddresses()
          .put(
              address.withAssociation(
                  Optional.of(new Ec2ElasticAddress.Association(id, to, privateAddress))));
    }
  }
}
