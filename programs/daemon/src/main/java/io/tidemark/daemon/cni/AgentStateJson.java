package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.agent.multipool.RememberedCidr.State;
import io.tidemark.daemon.cni.AgentState.Cooling;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The file of an {@link AgentState}. Members that it does not know are ignored, and one without a
 * list of cooling addresses, or of those for health checks, has none. The pools of gateways have a
 * list of their own, because older programs read the addresses as texts.
 */
final class AgentStateJson {
  private static final String FORMAT = "tidemark-agent/1";
  private static final String VERSION = "version";
  private static final String BOOT = "boot";
  private static final String ROUTERS = "routers";
  private static final String ROUTER_POOLS = "routerPools";
  private static final String ATTACHMENTS = "attachments";
  private static final String COOLING = "cooling";
  private static final String HEALTH = "health";
  private static final String CIDRS = "cidrs";
  private static final String CIDR = "cidr";
  private static final String STATE = "state";
  private static final String TIME = "epochMillis";
  private static final String NETWORK = "network";
  private static final String CONTAINER = "container";
  private static final String INTERFACE = "interface";
  private static final String OWNER = "owner";
  private static final String SINCE = "sinceEpochMillis";
  private static final String ADDRESSES = "addresses";
  private static final String IP = "ip";
  private static final String POOL = "pool";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private AgentStateJson() {}

  /** The bytes are no state that this program can read; the message says what is wrong. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  static byte[] print(AgentState state) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put(VERSION, FORMAT);
    json.put(BOOT, state.boot());
    ArrayNode routers = json.putArray(ROUTERS);
    ArrayNode routerPools = json.putArray(ROUTER_POOLS);
    for (Address each : state.routers()) {
      routers.add(each.ip().toString());
      routerPools.add(each.pool().value());
    }
    ArrayNode attachments = json.putArray(ATTACHMENTS);
    for (Attachment each : state.attachments()) {
      ObjectNode entry = attachments.addObject();
      entry.put(NETWORK, each.key().network());
      entry.put(CONTAINER, each.key().container());
      entry.put(INTERFACE, each.key().interfaceName());
      entry.put(OWNER, each.owner());
      entry.put(SINCE, each.epochMillis());
      ArrayNode addresses = entry.putArray(ADDRESSES);
      for (Address address : each.addresses()) {
        put(addresses.addObject(), address);
      }
    }
    ArrayNode cooling = json.putArray(COOLING);
    for (Cooling each : state.cooling()) {
      put(cooling.addObject(), each.address()).put(SINCE, each.epochMillis());
    }
    ArrayNode health = json.putArray(HEALTH);
    state.health().forEach(each -> health.add(each.toString()));
    if (state.cidrs().isPresent()) {
      ArrayNode cidrs = json.putArray(CIDRS);
      state.cidrs().get().forEach(each -> put(cidrs.addObject(), each));
    }
    return json.toString().getBytes(UTF_8);
  }

  private static ObjectNode put(ObjectNode json, Address address) {
    return json.put(IP, address.ip().toString()).put(POOL, address.pool().value());
  }

  private static void put(ObjectNode json, RememberedCidr block) {
    json.put(CIDR, block.cidr().toString()).put(POOL, block.pool().value());
    json.put(STATE, block.state().name());
    if (block.epochMillis() != 0) {
      json.put(TIME, block.epochMillis());
    }
  }

  static AgentState read(byte[] bytes) throws Unreadable {
    JsonNode json = tree(bytes);
    String version = text(json, VERSION);
    if (!version.equals(FORMAT)) {
      throw new Unreadable("its version is '" + version + "'; expected " + FORMAT);
    }
    List<Address> routers = new ArrayList<>();
    for (JsonNode each : array(json, ROUTERS)) {
      String pool = json.path(ROUTER_POOLS).path(routers.size()).asText();
      routers.add(new Address(address(each.asText()), new PoolName(pool)));
    }
    List<Attachment> attachments = new ArrayList<>();
    Set<Object> seen = new HashSet<>(routers);
    for (JsonNode each : array(json, ATTACHMENTS)) {
      Attachment attachment = attachment(each);
      attachments.add(attachment);
      List<Object> own = new ArrayList<>(attachment.addresses());
      own.add(attachment.key());
      for (Object part : own) {
        if (!seen.add(part)) {
          throw new Unreadable("it has " + part + " twice");
        }
      }
    }
    List<Cooling> cooling = new ArrayList<>();
    if (json.has(COOLING)) {
      for (JsonNode each : array(json, COOLING)) {
        cooling.add(new Cooling(pooled(each, COOLING), each.path(SINCE).asLong()));
      }
    }
    List<IpAddress> health = new ArrayList<>();
    if (json.has(HEALTH)) {
      for (JsonNode each : array(json, HEALTH)) {
        health.add(address(each.asText()));
      }
    }
    return new AgentState(text(json, BOOT), routers, attachments, cooling, health, cidrs(json));
  }

  private static JsonNode tree(byte[] bytes) throws Unreadable {
    try {
      JsonNode json = MAPPER.readTree(bytes);
      if (json.isObject()) {
        return json;
      }
      throw new Unreadable("it is not a JSON object");
    } catch (JsonProcessingException e) {
      throw new Unreadable("it is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new Unreadable(e.toString());
    }
  }

  private static Optional<List<RememberedCidr>> cidrs(JsonNode json) throws Unreadable {
    if (!json.has(CIDRS)) {
      return Optional.empty();
    }
    List<RememberedCidr> cidrs = new ArrayList<>();
    for (JsonNode each : array(json, CIDRS)) {
      String text = text(each, CIDR);
      Cidr cidr =
          Cidr.tryParse(text).orElseThrow(() -> new Unreadable("'" + text + "' is not a CIDR"));
      cidrs.add(
          new RememberedCidr(
              new PoolName(text(each, POOL)), cidr, state(each), each.path(TIME).asLong()));
    }
    return Optional.of(cidrs);
  }

  private static State state(JsonNode json) throws Unreadable {
    String name = text(json, STATE);
    for (State each : State.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new Unreadable("'" + name + "' is not a CIDR state");
  }

  private static Attachment attachment(JsonNode json) throws Unreadable {
    AttachmentKey key =
        new AttachmentKey(text(json, NETWORK), text(json, CONTAINER), text(json, INTERFACE));
    List<Address> addresses = new ArrayList<>();
    for (JsonNode each : array(json, ADDRESSES)) {
      addresses.add(pooled(each, key.toString()));
    }
    if (addresses.isEmpty()) {
      throw new Unreadable(key + " has no address");
    }
    return new Attachment(key, text(json, OWNER), addresses, json.path(SINCE).asLong());
  }

  private static Address pooled(JsonNode json, String what) throws Unreadable {
    PoolName pool = new PoolName(text(json, POOL));
    if (!pool.isGiven()) {
      throw new Unreadable(what + " has an address without a pool");
    }
    return new Address(address(text(json, IP)), pool);
  }

  private static JsonNode array(JsonNode json, String key) throws Unreadable {
    JsonNode array = json.path(key);
    if (!array.isArray()) {
      throw new Unreadable(key + " is not a list");
    }
    return array;
  }

  private static String text(JsonNode json, String key) throws Unreadable {
    JsonNode text = json.path(key);
    if (!text.isTextual()) {
      throw new Unreadable(key + " is not a string");
    }
    return text.textValue();
  }

  private static IpAddress address(String text) throws Unreadable {
    return IpAddress.tryParse(text)
        .orElseThrow(() -> new Unreadable("'" + text + "' is not an address"));
  }
}
