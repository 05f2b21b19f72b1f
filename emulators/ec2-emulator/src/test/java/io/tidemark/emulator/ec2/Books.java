package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The invariants of a region after any call, checked from its resources alone. */
final class Books {
  private Books() {}

  static void check(Region region) {
    region.subnets().present().forEach(subnet -> addresses(region, subnet));
    region.instances().present().forEach(instance -> attachments(region, instance));
    region.interfaces().present().forEach(present -> knownToInstance(region, present));
  }

  /** Each address has one owner, is no reserved one, and what is left is what is counted. */
  private static void addresses(Region region, Ec2Subnet subnet) {
    Set<IpAddress> owned = new HashSet<>();
    region
        .interfaces()
        .present()
        .filter(present -> present.placement().subnetId().equals(subnet.id()))
        .flatMap(Books::all)
        .forEach(
            address -> {
              require(owned.add(address), address + " has two owners");
              require(subnet.block().contains(address), address + " is outside of " + subnet);
            });
    long size = subnet.block().sizeSaturated();
    for (long reserved : new long[] {0, 1, 2, 3, size - 1}) {
      IpAddress address = subnet.block().address(reserved);
      require(!owned.contains(address), address + " is reserved and was given out");
    }
    require(
        subnet.availableAddresses() == size - 5 - owned.size(),
        subnet.id()
            + " tells "
            + subnet.availableAddresses()
            + " free, "
            + owned.size()
            + " are owned of "
            + size);
    require(
        region.addresses(subnet.id()).available() == subnet.availableAddresses(),
        "the bitmap of " + subnet.id() + " differs");
  }

  private static Stream<IpAddress> all(Ec2NetworkInterface present) {
    return Stream.concat(
        present.addresses().ipv4().map(address -> (IpAddress) address),
        present.addresses().prefixes().stream().flatMap(Books::each));
  }

  private static Stream<IpAddress> each(Cidr block) {
    return LongStream.range(0, block.sizeSaturated()).mapToObj(block::address);
  }

  /** No place is taken twice, and no limit of the type is exceeded. */
  private static void attachments(Region region, Ec2Instance instance) {
    Set<String> places = new HashSet<>();
    List<Integer> cards = new ArrayList<>();
    for (String id : instance.interfaceIds()) {
      Ec2NetworkInterface attached = region.interfaces().find(id).orElseThrow();
      Ec2Attachment attachment = attached.attachment().orElseThrow();
      require(attachment.instanceId().equals(instance.id()), id + " is elsewhere");
      require(
          places.add(attachment.card() + "/" + attachment.device()),
          instance.id() + " has two interfaces at one place");
      cards.add(attachment.card());
      require(
          attached.addresses().ipv4Places() <= instance.type().ipv4PerInterface(),
          id + " has too many addresses for " + instance.type().name());
    }
    for (int card : cards) {
      long on = cards.stream().filter(c -> c == card).count();
      require(
          on <= instance.type().cards().get(card).maximumInterfaces(),
          instance.id() + " has too many interfaces for " + instance.type().name());
    }
  }

  private static void knownToInstance(Region region, Ec2NetworkInterface present) {
    present
        .attachment()
        .ifPresent(
            attachment ->
                require(
                    region
                        .instances()
                        .find(attachment.instanceId())
                        .filter(i -> i.interfaceIds().contains(present.id()))
                        .isPresent(),
                    present.id() + " is attached to an instance that does not know it"));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
