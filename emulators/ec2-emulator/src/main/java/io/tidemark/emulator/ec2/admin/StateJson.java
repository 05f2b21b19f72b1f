package io.tidemark.emulator.ec2.admin;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddress;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2RouteTable;
import io.tidemark.emulator.ec2.model.Ec2SecurityGroup;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.SubnetCidrReservation;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.scenario.Fragments;
import io.tidemark.emulator.kit.scenario.Names;
import java.time.Instant;
import java.util.Collection;
import java.util.function.BiConsumer;

/** Writes what exists now, whatever readers see of it yet, and answers of the admin path. */
final class StateJson {
  private static final JsonMapper JSON = new JsonMapper();

  private StateJson() {}

  /** Everything: how EC2 behaves, what was called, and what is in each region. */
  static String of(Ec2Model world, Instant now) {
    ObjectNode out = JSON.createObjectNode();
    out.put("now", now.toString());
    out.put("throttling", world.isThrottling());
    out.put("strangers", world.neighboursShare());
    write(out.putArray("faults"), world.faults().rules());
    denials(out.putObject("deny"), world);
    ObjectNode calls = out.putObject("calls");
    world
        .counts()
        .byAction()
        .forEach(
            (action, count) -> {
              ObjectNode one = calls.putObject(action).put("calls", count.calls());
              ObjectNode refusals = one.putObject("refusals");
              count.refusals().forEach(refusals::put);
            });
    ArrayNode regions = out.putArray("regions");
    world.regions().forEach(region -> write(regions.addObject(), region));
    return text(out);
  }

  static String faults(Ec2Model world) {
    ObjectNode out = JSON.createObjectNode();
    write(out.putArray("faults"), world.faults().rules());
    return text(out);
  }

  static String denials(Ec2Model world) {
    ObjectNode out = JSON.createObjectNode();
    denials(out.putObject("deny"), world);
    return text(out);
  }

  static String neighbours(Ec2Model world) {
    return text(JSON.createObjectNode().put("strangers", world.neighboursShare()));
  }

  static String fragmented(Fragments.Taken taken, int freePrefixes) {
    ObjectNode out = JSON.createObjectNode();
    texts(out.putArray("interfaces"), taken.interfaceIds());
    return text(out.put("addresses", taken.addresses()).put("freePrefixes", freePrefixes));
  }

  static String done(String what) {
    return text(JSON.createObjectNode().put("done", what));
  }

  static String problem(String problem, String remedy) {
    return text(JSON.createObjectNode().put("problem", problem).put("remedy", remedy));
  }

  private static String text(ObjectNode out) {
    return out.toPrettyString() + "\n";
  }

  private static void write(ArrayNode out, Collection<Ec2FaultRule> rules) {
    for (Ec2FaultRule rule : rules) {
      ObjectNode one =
          out.addObject().put("action", rule.action()).put("kind", Names.of(rule.kind()));
      if (rule.kind() == Ec2FaultRule.Kind.FAIL) {
        one.put("code", rule.error().code())
            .put("message", rule.error().message())
            .put("status", rule.error().status());
      }
      one.put("probability", rule.probability())
          .put("skip", rule.skip())
          .put("times", rule.times());
    }
  }

  private static void denials(ObjectNode out, Ec2Model world) {
    world
        .denials()
        .all()
        .forEach(
            (principal, actions) ->
                texts(out.putArray(principal), actions.stream().sorted().toList()));
  }

  private static void write(ObjectNode out, Region region) {
    out.put("name", region.name());
    all(out, "vpcs", region.vpcs(), StateJson::write);
    all(
        out,
        "subnets",
        region.subnets(),
        (one, subnet) -> write(one, subnet, region.addresses(subnet.id()).freePrefixes()));
    all(out, "reservations", region.reservations(), StateJson::write);
    all(out, "groups", region.groups(), StateJson::write);
    all(out, "routeTables", region.routeTables(), StateJson::write);
    all(out, "instances", region.instances(), StateJson::write);
    all(out, "interfaces", region.interfaces(), StateJson::write);
    all(out, "elasticAddresses", region.elasticAddresses(), StateJson::write);
  }

  private static <T extends Resource> void all(
      ObjectNode out, String name, Table<T> table, BiConsumer<ObjectNode, T> writer) {
    ArrayNode array = out.putArray(name);
    table
        .present()
        .forEach(
            each -> {
              ObjectNode one = array.addObject().put("id", each.id()).put("owner", each.ownerId());
              writer.accept(one, each);
              tags(one, each.tags());
            });
  }

  private static void write(ObjectNode out, Ec2Vpc vpc) {
    out.put("default", vpc.isDefault());
    texts(out.putArray("blocks"), vpc.blocks().stream().map(b -> b.block()).toList());
  }

  private static void write(ObjectNode out, Ec2Subnet subnet, int freePrefixes) {
    out.put("vpc", subnet.vpcId())
        .put("zone", subnet.zone().name())
        .put("block", subnet.block().toString())
        .put("availableAddresses", subnet.availableAddresses())
        .put("freePrefixes", freePrefixes);
    subnet.ipv6Block().ifPresent(block -> out.put("ipv6Block", block.block().toString()));
    texts(out.putArray("participants"), subnet.participants());
  }

  private static void write(ObjectNode out, SubnetCidrReservation reservation) {
    out.put("subnet", reservation.subnetId())
        .put("block", reservation.block().toString())
        .put("type", reservation.type());
  }

  private static void write(ObjectNode out, Ec2SecurityGroup group) {
    out.put("vpc", group.vpcId()).put("name", group.name());
  }

  private static void write(ObjectNode out, Ec2RouteTable table) {
    out.put("vpc", table.vpcId()).put("main", table.isMain());
    texts(
        out.putArray("subnets"),
        table.associations().stream().flatMap(each -> each.subnetId().stream()).toList());
  }

  private static void write(ObjectNode out, Ec2NetworkInterface shown) {
    out.put("subnet", shown.placement().subnetId())
        .put("status", shown.status())
        .put("description", shown.settings().description())
        .put("mac", shown.macAddress())
        .put("primary", shown.addresses().first().map(a -> a.toString()).orElse(""));
    texts(out.putArray("secondary"), shown.addresses().secondary());
    texts(out.putArray("prefixes"), shown.addresses().prefixes());
    texts(out.putArray("ipv6"), shown.addresses().ipv6());
    texts(out.putArray("ipv6Prefixes"), shown.addresses().ipv6Prefixes());
    texts(
        out.putArray("groups"),
        shown.settings().groups().stream().map(Ec2SecurityGroup.Reference::id).toList());
    shown
        .attachment()
        .ifPresent(
            attachment ->
                out.putObject("attachment")
                    .put("id", attachment.id())
                    .put("instance", attachment.instanceId())
                    .put("card", attachment.card())
                    .put("device", attachment.device())
                    .put("status", attachment.status().wire())
                    .put("deleteOnTermination", attachment.deleteOnTermination()));
  }

  private static void write(ObjectNode out, Ec2Instance instance) {
    out.put("type", instance.type().name())
        .put("subnet", instance.placement().subnetId())
        .put("state", instance.state().wire())
        .put("launched", instance.launch().time().toString());
    texts(out.putArray("interfaces"), instance.interfaceIds());
  }

  private static void write(ObjectNode out, Ec2ElasticAddress address) {
    out.put("publicIp", address.publicIp().toString());
    address
        .association()
        .ifPresent(
            association ->
                out.put("interface", association.interfaceId())
                    .put("private", association.privateAddress().toString()));
  }

  private static void tags(ObjectNode out, Ec2Tags tags) {
    ObjectNode all = out.putObject("tags");
    tags.values().forEach(all::put);
  }

  private static void texts(ArrayNode out, Collection<?> values) {
    values.forEach(value -> out.add(value.toString()));
  }
}
