package io.tidemark.daemon.cni;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.daemon.cni.NetworkConfig.Route;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.List;

/** Prints results and failures, in the form of each version of the specification (AM19, AM20). */
final class CniResultJson {
  private static final String VERSION = "cniVersion";
  private static final List<String> WITH_FAMILY = List.of("0.3.1", "0.4.0");

  private CniResultJson() {}

  static String result(NetworkConfig config, Attachment attachment, ResultForm form) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put(VERSION, config.version());
    ArrayNode ips = json.putArray("ips");
    ArrayNode routes = json.putArray("routes");
    for (IpAddress ip : attachment.ips()) {
      ObjectNode entry = ips.addObject();
      if (WITH_FAMILY.contains(config.version())) {
        entry.put("version", ip.family() == IpFamily.IPV4 ? "4" : "6");
      }
      entry.put("address", ip + "/" + form.prefixLength(ip));
      form.gateway(ip).ifPresent(gateway -> entry.put("gateway", gateway.toString()));
      if (config.routes().isEmpty()) {
        routes.addObject().put("dst", ip.family() == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0");
      }
    }
    for (Route each : config.routes().orElse(List.of())) {
      ObjectNode route = routes.addObject().put("dst", each.destination());
      each.gateway().ifPresent(gateway -> route.put("gw", gateway));
    }
    json.putObject("dns");
    ObjectNode own = json.putObject("io.tidemark");
    own.put("pool", attachment.addresses().get(0).pool().value());
    ArrayNode interfaces = own.putArray("interfaces");
    attachment.ips().stream()
        .flatMap(ip -> form.interfaceOf(ip).stream())
        .forEach(each -> put(interfaces.addObject(), each));
    return json.toString();
  }

  /** Writes the details of an interface that the traffic of one address needs. */
  private static void put(ObjectNode json, InterfaceDetails details) {
    json.put("resource", details.id());
    if (!details.mac().isEmpty()) {
      json.put("mac", details.mac());
    }
    json.put("number", details.number());
    ArrayNode cidrs = json.putArray("cidrs");
    details.cidrs().forEach(each -> cidrs.add(each.toString()));
    details.gateway().ifPresent(each -> json.put("gateway", each.toString()));
  }

  static String failure(String version, CniFailure failure) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put(VERSION, version);
    json.put("code", failure.code());
    json.put("msg", failure.message());
    json.put("details", failure.details());
    return json.toString();
  }
}
