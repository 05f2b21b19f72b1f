package io.tidemark.daemon.cni;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.agent.PoolName;
import io.tidemark.daemon.cni.NetworkConfig.Route;
import io.tidemark.daemon.cni.NetworkConfig.Valid;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads network configurations. */
final class NetworkConfigJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final String VERSION = "cniVersion";
  private static final String VALID = "cni.dev/valid-attachments";
  private static final Set<String> KNOWN_UNDER_IPAM = Set.of("type", "pool", "routes");

  private static final Pattern POOL_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /** The version of a configuration without {@code cniVersion}. */
  private static final String OLDEST = "0.1.0";

  private NetworkConfigJson() {}

  static NetworkConfig read(String text) throws InvalidRequestException {
    JsonNode json = tree(text);
    if (!json.isObject()) {
      throw new InvalidRequestException(
          CniFailure.undecodable("the configuration is not a JSON object"));
    }
    String version = text(json, VERSION).orElse(OLDEST);
    if (!NetworkConfig.VERSIONS.contains(version)) {
      throw new InvalidRequestException(
          CniFailure.incompatibleVersion(version, NetworkConfig.VERSIONS));
    }
    String name = text(json, "name").orElse("");
    if (!CniRequest.IDENTIFIER.matcher(name).matches()) {
      throw invalid("name is '" + name + "'; expected letters, digits, _.- in the network's name");
    }
    JsonNode ipam = ipam(json);
    return new NetworkConfig(
        version, name, pool(ipam), routes(ipam), previous(json), valid(json), requested(json));
  }

  /** The conventions of CNI by which a runtime asks for addresses. */
  private static Optional<String> requested(JsonNode json) {
    return Stream.of("/runtimeConfig/ips", "/args/cni/ips")
        .filter(each -> !isAbsent(json.at(each)))
        .map(each -> each.substring(1).replace('/', '.'))
        .findFirst();
  }

  private static boolean isAbsent(JsonNode value) {
    return value.isMissingNode() || value.isNull() || (value.isArray() && value.isEmpty());
  }

  /** The version that a configuration names, if it can be read and the version is known. */
  static Optional<String> version(String text) {
    try {
      return text(tree(text), VERSION).filter(NetworkConfig.VERSIONS::contains);
    } catch (InvalidRequestException unreadable) {
      return Optional.empty();
    }
  }

  private static JsonNode tree(String text) throws InvalidRequestException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new InvalidRequestException(
          CniFailure.undecodable("the configuration is not JSON, " + place(e.getLocation())));
    }
  }

  private static String place(@Nullable JsonLocation location) {
    return location == null
        ? "at its end"
        : "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static JsonNode ipam(JsonNode json) throws InvalidRequestException {
    JsonNode ipam = json.get("ipam");
    if (ipam == null || !ipam.isObject()) {
      throw invalid("ipam is missing or not an object");
    }
    List<String> unknown = new ArrayList<>();
    ipam.fieldNames()
        .forEachRemaining(
            each -> {
              if (!KNOWN_UNDER_IPAM.contains(each)) {
                unknown.add(each);
              }
            });
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(CniFailure.unsupportedField(unknown));
    }
    return ipam;
  }

  private static PoolName pool(JsonNode ipam) throws InvalidRequestException {
    Optional<String> name = text(ipam, "pool");
    if (name.isPresent() && !POOL_NAME.matcher(name.get()).matches()) {
      throw invalid(
          "ipam.pool is '" + name.get() + "'; expected lower-case letters, digits and '-'");
    }
    return name.map(PoolName::new).orElse(PoolName.NOT_GIVEN);
  }

  private static Optional<List<Route>> routes(JsonNode ipam) throws InvalidRequestException {
    JsonNode given = ipam.get("routes");
    if (given == null) {
      return Optional.empty();
    }
    List<Route> routes = new ArrayList<>();
    for (JsonNode each : array(given, "ipam.routes")) {
      String destination = text(each, "dst").orElse("");
      if (Cidr.tryParse(destination).isEmpty()) {
        throw invalid("ipam.routes has dst '" + destination + "'; expected a CIDR");
      }
      Optional<String> gateway = text(each, "gw");
      if (gateway.isPresent() && IpAddress.tryParse(gateway.get()).isEmpty()) {
        throw invalid("ipam.routes has gw '" + gateway.get() + "'; expected an address");
      }
      routes.add(new Route(destination, gateway));
    }
    return Optional.of(routes);
  }

  private static Optional<List<IpAddress>> previous(JsonNode json) throws InvalidRequestException {
    JsonNode previous = json.get("prevResult");
    if (previous == null || previous.isNull()) {
      return Optional.empty();
    }
    List<IpAddress> addresses = new ArrayList<>();
    JsonNode ips = previous.get("ips");
    if (ips != null && !ips.isNull()) {
      for (JsonNode each : array(ips, "prevResult.ips")) {
        String text = text(each, "address").orElse("");
        int slash = text.indexOf('/');
        Optional<IpAddress> ip = IpAddress.tryParse(slash < 0 ? text : text.substring(0, slash));
        addresses.add(
            ip.orElseThrow(
                () -> invalid("prevResult.ips has '" + text + "'; expected address/length")));
      }
    }
    return Optional.of(addresses);
  }

  private static Optional<Set<Valid>> valid(JsonNode json) throws InvalidRequestException {
    JsonNode given = json.get(VALID);
    if (given == null || given.isNull()) {
      return Optional.empty();
    }
    Set<Valid> valid = new LinkedHashSet<>();
    for (JsonNode each : array(given, VALID)) {
      Optional<String> container = text(each, "containerID");
      Optional<String> name = text(each, "ifname");
      if (container.isEmpty() || name.isEmpty()) {
        throw invalid(VALID + " has an entry without containerID or ifname");
      }
      valid.add(new Valid(container.get(), name.get()));
    }
    return Optional.of(valid);
  }

  private static JsonNode array(JsonNode json, String where) throws InvalidRequestException {
    if (!json.isArray()) {
      throw invalid(where + " is not a list");
    }
    return json;
  }

  private static Optional<String> text(JsonNode json, String key) throws InvalidRequestException {
    JsonNode value = json.get(key);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw invalid(key + " is not a text");
    }
    return Optional.of(value.textValue());
  }

  private static InvalidRequestException invalid(String details) {
    return new InvalidRequestException(CniFailure.invalidConfiguration(details));
  }
}
