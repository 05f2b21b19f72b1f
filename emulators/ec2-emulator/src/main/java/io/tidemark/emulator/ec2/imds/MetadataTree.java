package io.tidemark.emulator.ec2.imds;

import io.tidemark.emulator.ec2.imds.Metadata.Directory;
import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddress;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddresses;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2SecurityGroup;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The facts of the metadata service about an instance, by the names of "Instance metadata
 * categories" (Amazon EC2 User Guide). Reads the region as it is now.
 */
final class MetadataTree {
  private final Region region;
  private final Ec2Instance instance;
  private final Ec2Partition partition;

  MetadataTree(Region region, Ec2Instance instance) {
    this.region = region;
    this.instance = instance;
    this.partition = Ec2Partition.of(region.name());
  }

  /** Everything below {@code latest/}. */
  Directory root(Optional<RoleCredentials> role) {
    return new Directory()
        .directory(
            "dynamic",
            new Directory()
                .directory(
                    "instance-identity",
                    new Directory()
                        .made(
                            "document",
                            () -> Ec2MetadataJson.identity(region, instance, primary()))))
        .directory("meta-data", metaData(role));
  }

  private Directory metaData(Optional<RoleCredentials> role) {
    Ec2NetworkInterface primary = primary();
    String name = region.privateDnsName(primary.addresses().primary());
    Directory out = new Directory();
    out.text("ami-id", instance.launch().imageId())
        .text("ami-launch-index", Integer.toString(instance.launch().index()))
        .text("hostname", name);
    role.ifPresent(credentials -> out.directory("iam", credentials.directory()));
    return out.text("instance-action", "none")
        .text("instance-id", instance.id())
        .text("instance-life-cycle", "on-demand")
        .text("instance-type", instance.type().name())
        .text("ipv6", primary.addresses().ipv6().stream().findFirst().map(Object::toString))
        .text("local-hostname", name)
        .text("local-ipv4", primary.addresses().primary().toString())
        .text("mac", primary.macAddress())
        .directory(
            "network",
            new Directory().directory("interfaces", new Directory().directory("macs", macs())))
        .directory(
            "placement",
            new Directory()
                .text("availability-zone", instance.placement().zone().name())
                .text("availability-zone-id", instance.placement().zone().id())
                .text("region", region.name()))
        .text("profile", "default-hvm")
        .text(
            "public-ipv4",
            publicAddresses(primary)
                .filter(a -> privateOf(a).equals(primary.addresses().primary()))
                .map(a -> a.publicIp().toString())
                .findFirst())
        .text("reservation-id", instance.launch().reservationId())
        .lines("security-groups", groups(primary).map(Ec2SecurityGroup.Reference::name).toList())
        .directory(
            "services",
            new Directory().text("domain", partition.domain()).text("partition", partition.id()));
  }

  private Directory macs() {
    Directory macs = new Directory();
    attached().forEach(shown -> macs.directory(shown.macAddress(), ofInterface(shown)));
    return macs;
  }

  private Directory ofInterface(Ec2NetworkInterface shown) {
    Ec2Attachment attachment = shown.attachment().orElseThrow();
    Directory associations = new Directory();
    publicAddresses(shown)
        .forEach(a -> associations.text(a.publicIp().toString(), privateOf(a).toString()));
    Directory out =
        new Directory()
            .text("device-number", Integer.toString(attachment.device()))
            .text("interface-id", shown.id())
            .directory("ipv4-associations", associations)
            .lines("ipv4-prefix", shown.addresses().prefixes())
            .lines("ipv6-prefix", shown.addresses().ipv6Prefixes())
            .lines("ipv6s", shown.addresses().ipv6())
            .lines("local-ipv4s", shown.addresses().ipv4().toList())
            .text("mac", shown.macAddress());
    shown.addresses().first().ifPresent(a -> out.text("local-hostname", region.privateDnsName(a)));
    if (instance.type().cards().size() > 1) {
      out.text("network-card", Integer.toString(attachment.card()));
    }
    out.text("owner-id", shown.ownerId())
        .lines("public-ipv4s", publicAddresses(shown).map(Ec2ElasticAddress::publicIp).toList())
        .lines("security-group-ids", groups(shown).map(Ec2SecurityGroup.Reference::id).toList())
        .lines("security-groups", groups(shown).map(Ec2SecurityGroup.Reference::name).toList());
    region.subnets().find(shown.placement().subnetId()).ifPresent(subnet -> write(out, subnet));
    region.vpcs().find(shown.placement().vpcId()).ifPresent(vpc -> write(out, vpc));
    return out;
  }

  private static void write(Directory out, Ec2Subnet subnet) {
    out.text("subnet-id", subnet.id())
        .text("subnet-ipv4-cidr-block", subnet.block().toString())
        .text("subnet-ipv6-cidr-blocks", subnet.ipv6Block().map(b -> b.block().toString()));
  }

  private static void write(Directory out, Ec2Vpc vpc) {
    out.text("vpc-id", vpc.id())
        .text("vpc-ipv4-cidr-block", vpc.primaryBlock().toString())
        .lines("vpc-ipv4-cidr-blocks", vpc.blocks(IpFamily.IPV4).map(b -> b.block()).toList())
        .lines("vpc-ipv6-cidr-blocks", vpc.blocks(IpFamily.IPV6).map(b -> b.block()).toList());
  }

  /** Complete attachments by card and device: those that the instance itself can see. */
  private Stream<Ec2NetworkInterface> attached() {
    return instance.interfaceIds().stream()
        .flatMap(id -> region.interfaces().find(id).stream())
        .filter(
            shown ->
                shown
                    .attachment()
                    .filter(a -> a.status() != Ec2Attachment.Status.ATTACHING || a.isPrimary())
                    .isPresent())
        .sorted(
            Comparator.comparing(
                    (Ec2NetworkInterface shown) -> shown.attachment().orElseThrow().card())
                .thenComparing(shown -> shown.attachment().orElseThrow().device()));
  }

  private Ec2NetworkInterface primary() {
    return attached()
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(instance.id() + " has no interface"));
  }

  private Stream<Ec2ElasticAddress> publicAddresses(Ec2NetworkInterface shown) {
    return new Ec2ElasticAddresses(region).of(shown.id());
  }

  private static Ipv4Address privateOf(Ec2ElasticAddress address) {
    return address.association().orElseThrow().privateAddress();
  }

  private static Stream<Ec2SecurityGroup.Reference> groups(Ec2NetworkInterface shown) {
    return shown.settings().groups().stream();
  }
}
