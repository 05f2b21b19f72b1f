package io.tidemark.daemon;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.agent.multipool.PoolCidr;
import io.tidemark.ip.Cidr;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Prints the status of an agent: its pools, every address that is not free, and, where pools
 * consist of CIDRs, what is done with each of these.
 */
final class PoolsJson {
  private PoolsJson() {}

  static void write(
      OutputStream out,
      String node,
      List<String> unready,
      List<PoolSnapshot> pools,
      List<PoolCidr> cidrs)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("node", node);
      json.writeArrayFieldStart("unready");
      for (String each : unready) {
        json.writeString(each);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("pools");
      for (PoolSnapshot each : pools) {
        write(json, each);
      }
      json.writeEndArray();
      if (!cidrs.isEmpty()) {
        json.writeArrayFieldStart("cidrs");
        for (PoolCidr each : cidrs) {
          write(json, each);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, PoolCidr cidr) throws IOException {
    json.writeStartObject();
    json.writeStringField("cidr", cidr.cidr().toString());
    json.writeStringField("pool", cidr.pool().value());
    json.writeStringField("state", cidr.state().name());
    if (!cidr.reason().isEmpty()) {
      json.writeStringField("reason", cidr.reason());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, PoolSnapshot pool) throws IOException {
    json.writeStartObject();
    json.writeStringField("family", pool.family().toString());
    json.writeStringField("pool", pool.pool().value());
    json.writeStringField("origin", pool.origin());
    json.writeNumberField("available", pool.counts().available());
    json.writeNumberField("inUse", pool.counts().inUse());
    json.writeNumberField("cooling", pool.counts().cooling());
    json.writeNumberField("excluded", pool.counts().excluded());
    json.writeNumberField("withheld", pool.counts().withheld());
    json.writeArrayFieldStart("held");
    for (HeldAddress each : pool.held()) {
      json.writeStartObject();
      json.writeStringField("ip", each.ip().toString());
      json.writeStringField("state", each.state().name());
      json.writeStringField("owner", each.owner());
      if (each.lease().isPresent()) {
        json.writeStringField("lease", each.lease().map(UUID::toString).orElseThrow());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("exclusions");
    for (Map.Entry<Cidr, String> each : pool.exclusions().entrySet()) {
      json.writeStartObject();
      json.writeStringField("cidr", each.getKey().toString());
      json.writeStringField("owner", each.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
