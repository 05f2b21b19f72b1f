package io.tidemark.emulator.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A model with a clock of its own, two instances of a Uniform set, one virtual machine, and the
 * requests that the rules are tried with.
 */
final class Cloud {
  static final String ORIGIN = "http://127.0.0.1:1";
  static final String GROUP = "/subscriptions/s1/resourceGroups/g1";
  static final String NET = GROUP + "/providers/Microsoft.Network/virtualNetworks/net";
  static final String SUBNET = NET + "/subnets/nodes";
  static final String SET = GROUP + "/providers/Microsoft.Compute/virtualMachineScaleSets/set";
  static final String INSTANCE_0 = SET + "/virtualMachines/0";
  static final String VM = GROUP + "/providers/Microsoft.Compute/virtualMachines/vm";
  static final String NIC = GROUP + "/providers/Microsoft.Network/networkInterfaces/vm-eth0";

  static final String NETWORK_API = "2025-03-01";
  static final String COMPUTE_API = "2025-04-01";
  private static final String LIST_API = "2018-10-01";

  private static final String PREFIX =
      GROUP + "/providers/Microsoft.Network/publicIPPrefixes/egress";
  private static final String OF_PREFIX =
      "{\"location\":\"westeurope\",\"sku\":{\"name\":\"Standard\"},\"zones\":[\"1\",\"2\"],"
          + "\"properties\":{\"publicIPAllocationMethod\":\"Static\",\"deleteOption\":\"Delete\","
          + "\"publicIPPrefix\":{\"id\":\"PREFIX\"}}}";
  private static final String ASKING =
      "0.publicIPAddressConfiguration={\"name\":\"node-ip\","
          + "\"properties\":{\"publicIPPrefix\":{\"id\":\"PREFIX\"}}}";

  /** Names that the rules use. */
  static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("GROUP", GROUP),
          Map.entry("NETWORK", GROUP + "/providers/Microsoft.Network"),
          Map.entry("COMPUTE", GROUP + "/providers/Microsoft.Compute"),
          Map.entry("NET", NET),
          Map.entry("SUBNET", SUBNET),
          Map.entry("SET", SET),
          Map.entry("INSTANCE", INSTANCE_0),
          Map.entry("LIST", INSTANCE_0 + "/networkInterfaces"),
          Map.entry("VM", VM),
          Map.entry("NIC", NIC),
          Map.entry("PREFIX", PREFIX),
          Map.entry("ADDRESS", GROUP + "/providers/Microsoft.Network/publicIPAddresses/one"),
          Map.entry("OF_PREFIX", OF_PREFIX.replace("PREFIX", PREFIX)),
          Map.entry("ASKING", ASKING.replace("PREFIX", PREFIX)),
          Map.entry(
              "MODEL",
              "networkProfileConfiguration.networkInterfaceConfigurations.0.ipConfigurations"));

  private static final Pattern HEADER = Pattern.compile("(If-[A-Za-z-]+|Authorization):(.*)");
  private static final Pattern CONFIGURATIONS =
      Pattern.compile("[+].*|first|none|-?([0-9]+|last)([.].*)?");
  private static final Pattern MEMBER =
      Pattern.compile("(-?)([0-9]+|last)(?:[.]([^=]+)(?:=(.*))?)?");
  private static final Pattern ADDED = Pattern.compile("([^/@]+)(/[0-9]+)?(@.*)?");

  private final ArmModel model;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private String principal = "p1";

  /** A cloud whose subnet has these blocks, by default 10.0.0.0/24. */
  Cloud(ModelOptions options, String... prefixes) {
    this.model = new ArmModel(options);
    List<String> blocks = prefixes.length == 0 ? List.of("10.0.0.0/24") : List.of(prefixes);
    Resources owner = owner();
    owner.addNetwork(NET, "westeurope");
    owner.addSubnet(SUBNET, blocks.stream().map(Cidr::parse).toList(), false, 0);
    Document interfaceModel =
        Document.of("name", "eth0")
            .withProperty("primary", true)
            .withProperty("ipConfigurations", List.of(primary("primary")));
    owner.addScaleSet(SET, "westeurope", true, List.of(interfaceModel));
    owner.addInstance(SET, 0);
    owner.addInstance(SET, 1);
    owner.addMachine(VM, "westeurope", Optional.empty());
    owner.addInterface(NIC, VM, List.of(primary("primary")), Document.EMPTY);
    Document zones = Document.of("zones", List.of("1", "2"));
    owner.addPublicPrefix(PREFIX, "westeurope", Cidr.parse("203.0.113.0/31"), zones, 0);
  }

  static Document configuration(String name) {
    return Document.of("name", name).withProperty("subnet", Document.reference(SUBNET));
  }

  static Document primary(String name) {
    return configuration(name).withProperty("primary", true);
  }

  ArmModel model() {
    return model;
  }

  Resources owner() {
    return model.resources(now);
  }

  Instant now() {
    return now;
  }

  Cloud pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  Cloud as(String other) {
    principal = other;
    return this;
  }

  private ArmReply send(
      String method, String url, Map<String, String> headers, Optional<Document> body) {
    String path = url.startsWith(ORIGIN) ? url.substring(ORIGIN.length()) : url;
    int question = path.indexOf('?');
    ArmReply reply =
        model.apply(
            new ArmRequest(
                method,
                ORIGIN,
                question < 0 ? path : path.substring(0, question),
                question < 0 ? Map.of() : ArmRequest.parameters(path.substring(question + 1)),
                Optional.of(headers.getOrDefault("Authorization", "Bearer static-" + principal))
                    .filter(each -> !each.isEmpty()),
                Optional.ofNullable(headers.get("If-Match")),
                Optional.ofNullable(headers.get("If-None-Match")),
                body),
            now);
    assertThat(reply.body()).isNotNull();
    return reply;
  }

  /**
   * A request. Its words are headers, {@code api=} with a version instead of the usual one, a body
   * in JSON, and changes of that body.
   */
  ArmReply request(String method, String url, List<String> words) {
    Map<String, String> headers = new HashMap<>();
    List<String> changes = new ArrayList<>();
    Optional<Document> body = Optional.empty();
    String version = usualVersion(url);
    for (String word : words) {
      Matcher header = HEADER.matcher(word);
      if (header.matches()) {
        headers.put(header.group(1), header.group(2).replace("%20", " "));
      } else if (word.startsWith("api=")) {
        version = word.substring(4);
      } else if (word.startsWith("{")) {
        body = DocumentJson.read(word);
      } else {
        changes.add(word);
      }
    }
    String versioned =
        version.isEmpty() || url.contains("api-version=")
            ? url
            : url + (url.contains("?") ? "&" : "?") + "api-version=" + version;
    return send(method, versioned, headers, body.map(each -> changed(each, changes)));
  }

  private static String usualVersion(String url) {
    String path = url.toLowerCase(Locale.ROOT);
    if (path.contains("/virtualmachinescalesets/")
        && (path.contains("/networkinterfaces") || path.contains("/publicipaddresses"))) {
      return LIST_API;
    }
    return path.contains("/permissions")
        ? "2022-04-01"
        : path.contains("microsoft.compute") ? COMPUTE_API : NETWORK_API;
  }

  ArmReply get(String path) {
    return request("GET", path, List.of());
  }

  /**
   * Writes the interface of the machine, or the only one of the instance, as it is read, with its
   * etag and these changes.
   */
  ArmReply write(boolean nic, List<String> words) {
    String path = nic ? NIC : INSTANCE_0;
    List<String> versions = words.stream().filter(each -> each.startsWith("api=")).toList();
    Document read = answered(request("GET", path, versions), 200);
    List<String> more = new ArrayList<>();
    read.text("etag").ifPresent(etag -> more.add("If-Match:" + etag));
    more.add(DocumentJson.print(nic ? read : instanceBody(read)));
    more.addAll(words);
    return request("PUT", path, more);
  }

  /** The body that writes the configurations of an instance's only interface as they are. */
  static Document instanceBody(Document instance) {
    return Document.of("location", "westeurope")
        .withProperty(
            "networkProfileConfiguration",
            Document.of(
                "networkInterfaceConfigurations",
                List.of(
                    instance
                        .object("properties")
                        .object("networkProfileConfiguration")
                        .objects("networkInterfaceConfigurations")
                        .get(0))));
  }

  /** All elements of a list, whose links have the version and the origin of the first request. */
  ArmReply pages(String path) {
    List<Document> all = new ArrayList<>();
    int pages = 1;
    Document page = answered(get(path), 200);
    all.addAll(page.objects("value"));
    while (page.has("nextLink")) {
      String next = page.text("nextLink").orElseThrow();
      assertThat(next).startsWith(ORIGIN).contains("api-version=" + usualVersion(path));
      page = answered(get(next), 200);
      all.addAll(page.objects("value"));
      pages++;
    }
    return ArmReply.of(200, Document.of("value", all).with("pages", pages));
  }

  /** The body of a response that must be of this status. */
  static Document answered(ArmReply reply, int status) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return DocumentJson.read(reply.body()).orElseThrow();
  }

  /** Status and code of a refusal, and the inner code if there is one. */
  static String refusal(ArmReply reply) {
    Document error = DocumentJson.read(reply.body()).orElseThrow().object("error");
    String inner =
        error.objects("details").stream()
            .map(each -> " " + each.text("code").orElse(""))
            .findFirst()
            .orElse("");
    return reply.status() + " " + error.text("code").orElse("") + inner;
  }

  /** A document with changes, those of its configurations among them. */
  static Document changed(Document body, List<String> changes) {
    Document changed = body;
    for (String change : changes) {
      if (CONFIGURATIONS.matcher(change).matches()) {
        changed = withConfigurations(changed, all -> configurations(all, change));
      } else if (change.startsWith("-")) {
        changed = with(changed, change.substring(1), null);
      } else {
        String[] pair = change.split("=", 2);
        changed = with(changed, pair[0], parsed(pair[1]));
      }
    }
    return changed;
  }

  private static Document withConfigurations(Document body, UnaryOperator<List<Document>> how) {
    Document profile = body.object("properties").object("networkProfileConfiguration");
    List<Document> models = profile.objects("networkInterfaceConfigurations");
    if (!models.isEmpty()) {
      return body.withProperty(
          "networkProfileConfiguration",
          profile.with(
              "networkInterfaceConfigurations", List.of(withConfigurations(models.get(0), how))));
    }
    List<Document> all = body.object("properties").objects("ipConfigurations");
    return body.withProperty("ipConfigurations", how.apply(all));
  }

  /**
   * {@code none} or {@code first} of them; with {@code +3} new ones, with {@code +name}, {@code
   * +name/28} or {@code +name@address}; without {@code -1}; {@code 1.key=value} or without {@code
   * -1.key}.
   */
  private static List<Document> configurations(List<Document> before, String change) {
    List<Document> all = new ArrayList<>(change.equals("none") ? List.of() : before);
    Matcher member = MEMBER.matcher(change);
    if (change.equals("first")) {
      return all.subList(0, 1);
    } else if (change.matches("[+][0-9]+")) {
      for (int i = Integer.parseInt(change); i > 0; i--) {
        all.add(configuration("pod-" + all.size()));
      }
    } else if (change.startsWith("+")) {
      all.add(added(change.substring(1)));
    } else if (member.matches()) {
      int index =
          member.group(2).equals("last") ? all.size() - 1 : Integer.parseInt(member.group(2));
      if (member.group(3) == null) {
        all.remove(index);
      } else {
        String key = (member.group(3).equals("name") ? "" : "properties.") + member.group(3);
        boolean removed = member.group(1).equals("-");
        all.set(index, with(all.get(index), key, removed ? null : parsed(member.group(4))));
      }
    }
    return all;
  }

  private static Document added(String text) {
    Matcher parts = ADDED.matcher(text);
    assertThat(parts.matches()).as(text).isTrue();
    Document added = configuration(parts.group(1));
    if (parts.group(2) != null) {
      added =
          added.withProperty(
              "privateIPAddressPrefixLength", Integer.parseInt(parts.group(2).substring(1)));
    }
    return parts.group(3) == null
        ? added
        : added
            .withProperty("privateIPAllocationMethod", "Static")
            .withProperty("privateIPAddress", parts.group(3).substring(1));
  }

  private static Document with(Document in, String path, @Nullable Object value) {
    String[] keys = path.split("[.]", 2);
    if (keys.length == 2) {
      return in.with(keys[0], with(in.object(keys[0]), keys[1], value));
    }
    return value == null ? in.without(path) : in.with(path, value);
  }

  /** A reference {@code @id}, JSON, a list, a flag, a number, or a text. */
  private static Object parsed(String text) {
    if (text.startsWith("{")) {
      return DocumentJson.read(text).orElseThrow();
    } else if (text.startsWith("[")) {
      return Stream.of(text.substring(1, text.length() - 1).split(",", -1))
          .map(Cloud::parsed)
          .toList();
    } else if (text.startsWith("@")) {
      return Document.reference(text.substring(1));
    } else if (text.matches("true|false")) {
      return Boolean.valueOf(text);
    }
    return text.matches("[0-9]+") ? Integer.valueOf(text) : text.replace("%20", " ");
  }

  /** The texts that a reply has at a path, or in a header: {@code none} without any. */
  static String told(ArmReply reply, String path) {
    if (path.startsWith("{")) {
      return Stream.of(path.substring(1, path.length() - 1).split(",", -1))
          .map(each -> told(reply, each))
          .collect(Collectors.joining(" "));
    } else if (path.startsWith("@")) {
      return switch (path) {
        case "@status" -> Integer.toString(reply.status());
        case "@delivery" -> reply.delivery().toString();
        case "@body" -> reply.body();
        default -> reply.headers().getOrDefault(path.substring(1), "none");
      };
    }
    assertThat(reply.status()).as(reply.body()).isLessThan(300);
    String texts =
        texts(DocumentJson.read(reply.body()).orElseThrow(), path).collect(Collectors.joining(" "));
    return texts.isEmpty() ? "none" : texts;
  }

  /**
   * The texts at a path: {@code *} stands for all elements of a list, {@code #} for their number,
   * {@code {a,b}} for several paths. A resource's properties are found without their section.
   */
  private static Stream<String> texts(@Nullable Object value, String path) {
    if (value == null) {
      return Stream.of();
    } else if (path.isEmpty() || path.equals(".")) {
      return Stream.of(value instanceof Document all ? DocumentJson.print(all) : value.toString());
    } else if (path.startsWith("{")) {
      return Stream.of(path.substring(1, path.length() - 1).split(",", -1))
          .flatMap(each -> texts(value, each));
    }
    String[] keys = path.split("[.]", 2);
    String rest = keys.length == 1 ? "" : keys[1];
    if (value instanceof List<?> list) {
      return switch (keys[0]) {
        case "#" -> Stream.of(Integer.toString(list.size()));
        case "*" -> list.stream().flatMap(each -> texts(each, rest));
        default ->
            list.stream()
                .skip(Integer.parseInt(keys[0]))
                .limit(1)
                .flatMap(each -> texts(each, rest));
      };
    }
    return value instanceof Document object
        ? texts(
            object.has(keys[0]) ? object.get(keys[0]) : object.object("properties").get(keys[0]),
            rest)
        : Stream.of();
  }
}
