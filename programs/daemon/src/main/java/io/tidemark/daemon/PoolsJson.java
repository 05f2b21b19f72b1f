package io.tidemark.daemon;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.agent.multipool.PoolCidr;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Prints the status of an agent: its pools, every address that is not free, and, where pools
 * consist of CIDRs, what is done with each of these.
 */
final class PoolsJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PoolsJson() {}

  static void write(
      OutputStream out,
      String node,
      List<String> unready,
      List<PoolSnapshot> pools,
      List<PoolCidr> cidrs)
      throws IOException {
    ObjectNode json = MAPPER.createObjectNode().put("node", node);
    unready.forEach(json.putArray("unready")::add);
    ArrayNode all = json.putArray("pools");
    pools.forEach(each -> put(all.addObject(), each));
    if (!cidrs.isEmpty()) {
      ArrayNode blocks = json.putArray("cidrs");
      cidrs.forEach(each -> put(blocks.addObject(), each));
    }
    MAPPER.writeValue(out, json);
  }

  private static void put(ObjectNode json, PoolCidr cidr) {
    json.put("cidr", cidr.cidr().toString());
    json.put("pool", cidr.pool().value());
    json.put("state", cidr.state().name());
    if (!cidr.reason().isEmpty()) {
      json.put("reason", cidr.reason());
    }
  }

  private static void put(ObjectNode json, PoolSnapshot pool) {
    json.put("family", pool.family().toString());
    json.put("pool", pool.pool().value());
    json.put("origin", pool.origin());
    json.put("available", pool.counts().available());
    json.put("inUse", pool.counts().inUse());
    json.put("cooling", pool.counts().cooling());
    json.put("excluded", pool.counts().excluded());
    json.put("withheld", pool.counts().withheld());
    ArrayNode held = json.putArray("held");
    for (HeldAddress each : pool.held()) {
      ObjectNode entry = held.addObject();
      entry.put("ip", each.ip().toString());
      entry.put("state", each.state().name());
      entry.put("owner", each.owner());
      each.lease().ifPresent(lease -> entry.put("lease", lease.toString()));
    }
    ArrayNode exclusions = json.putArray("exclusions");
    pool.exclusions()
        .forEach(
            (cidr, owner) ->
                exclusions.addObject().put("cidr", cidr.toString()).put("owner", owner));
  }
}
