package io.tidemark.emulator.ec2.admin;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Subnet;
import java.util.List;

/** Writes what exists now, whatever readers see of it yet, and answers of the admin path. */
final class StateJson {
  private static final JsonMapper JSON = new JsonMapper();

  private StateJson() {}

  static String of(Ec2Model model) {
    ObjectNode out = JSON.createObjectNode();
    ArrayNode regions = out.putArray("regions");
    model.regions().forEach(region -> write(regions.addObject(), region));
    return out.toPrettyString() + "\n";
  }

  static String done(String what) {
    return JSON.createObjectNode().put("done", what).toPrettyString() + "\n";
  }

  static String problem(String problem, String remedy) {
    return JSON.createObjectNode().put("problem", problem).put("remedy", remedy).toPrettyString()
        + "\n";
  }

  private static void write(ObjectNode out, Region region) {
    out.put("name", region.name());
    ArrayNode subnets = out.putArray("subnets");
    region.subnets().present().forEach(subnet -> write(subnets.addObject(), subnet));
    ArrayNode interfaces = out.putArray("interfaces");
    region.interfaces().present().forEach(each -> write(interfaces.addObject(), each));
    ArrayNode instances = out.putArray("instances");
    region.instances().present().forEach(each -> write(instances.addObject(), each));
  }

  private static void write(ObjectNode out, Subnet subnet) {
    out.put("id", subnet.id())
        .put("owner", subnet.ownerId())
        .put("vpc", subnet.vpcId())
        .put("zone", subnet.zone().name())
        .put("block", subnet.block().toString())
        .put("availableAddresses", subnet.availableAddresses());
  }

  private static void write(ObjectNode out, NetworkInterface shown) {
    out.put("id", shown.id())
        .put("owner", shown.ownerId())
        .put("subnet", shown.placement().subnetId())
        .put("status", shown.status())
        .put("description", shown.settings().description())
        .put("primary", shown.addresses().primary().toString());
    texts(out.putArray("secondary"), shown.addresses().secondary());
    texts(out.putArray("prefixes"), shown.addresses().prefixes());
    texts(out.putArray("ipv6"), shown.addresses().ipv6());
    texts(out.putArray("ipv6Prefixes"), shown.addresses().ipv6Prefixes());
    shown
        .attachment()
        .ifPresent(
            attachment ->
                out.putObject("attachment")
                    .put("instance", attachment.instanceId())
                    .put("card", attachment.card())
                    .put("device", attachment.device())
                    .put("status", attachment.status().wire())
                    .put("deleteOnTermination", attachment.deleteOnTermination()));
  }

  private static void write(ObjectNode out, Instance instance) {
    out.put("id", instance.id())
        .put("owner", instance.ownerId())
        .put("type", instance.type().name())
        .put("subnet", instance.placement().subnetId())
        .put("state", instance.state().wire());
    texts(out.putArray("interfaces"), instance.interfaceIds());
  }

  private static void texts(ArrayNode out, List<?> values) {
    values.forEach(value -> out.add(value.toString()));
  }
}
