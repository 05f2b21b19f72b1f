package io.tidemark.emulator.arm.scenario;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.scenario.ArmScenario.Step;
import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.emulator.kit.scenario.Place;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes a scenario of a file's tree. Used once. */
final class ArmScenarioReader {
  private static final String NETWORK = "Microsoft.Network/virtualNetworks";
  private static final String SET = "Microsoft.Compute/virtualMachineScaleSets";
  private static final String MACHINE = "Microsoft.Compute/virtualMachines";
  private static final int INSTANCES_MAX = 1_000;
  private static final int PUBLIC_ADDRESSES_MAX = 256;

  private final List<Step> steps = new ArrayList<>();

  private ArmScenarioReader() {}

  static ArmScenario of(Section root) {
    return new ArmScenarioReader().read(root);
  }

  private ArmScenario read(Section root) {
    ModelOptions options = ArmOptionsReader.read(root);
    root.sections("networks", this::network);
    root.sections("scale-sets", this::scaleSet);
    root.sections("machines", this::machine);
    root.sections("public-prefixes", this::publicPrefix);
    List<Role> roles = root.sections("roles", ArmScenarioReader::role);
    List<String> locks = root.values("locks", "a resource id", ArmScenarioReader::scope);
    List<ArmFault> faults = root.sections("faults", ArmScenarioReader::fault);
    Identity.Machine machine = root.section("metadata", ArmScenarioReader::metadata);
    return new ArmScenario(
        options, steps, roles.isEmpty() ? List.of(Role.owner()) : roles, locks, faults, machine);
  }

  private static Optional<String> scope(String text) {
    return text.equals("/") ? Optional.of(text) : ArmId.parse(text).map(ArmId::text);
  }

  /** The id of a resource of this type; a harmless one when the file has none. */
  private static String id(Section section, String key, String type) {
    String[] parts = type.split("/", -1);
    return section
        .neededValue(
            key,
            "an id such as /subscriptions/S/resourceGroups/G/providers/" + type + "/NAME",
            text ->
                ArmId.parse(text)
                    .filter(
                        each ->
                            each.name("providers").filter(parts[0]::equalsIgnoreCase).isPresent())
                    .filter(each -> each.name(parts[1]).isPresent())
                    .map(ArmId::text))
        .orElse("/subscriptions/s/resourceGroups/g/providers/" + type + "/none");
  }

  private static String location(Section section) {
    return section.text("location").orElse("westeurope");
  }

  private String network(Section section) {
    String id = id(section, "id", NETWORK);
    String location = location(section);
    steps.add(new Step(section.place(), owner -> owner.addNetwork(id, location)));
    section.sections(
        "subnets",
        each -> {
          String subnet = id + "/subnets/" + name(each);
          List<Cidr> prefixes =
              each.values("prefixes", "a block such as 10.0.0.0/20", Cidr::tryParse);
          boolean busy = each.flag("busy", false);
          int used = each.number("used", 0, 0, 1 << 24);
          if (prefixes.isEmpty()) {
            each.problem("prefixes", "is empty", "Write the subnet's blocks.");
          }
          steps.add(new Step(each.place(), owner -> owner.addSubnet(subnet, prefixes, busy, used)));
          return subnet;
        });
    return id;
  }

  private String publicPrefix(Section section) {
    String id = id(section, "id", "Microsoft.Network/publicIPPrefixes");
    String location = location(section);
    Optional<Cidr> range =
        section.neededValue(
            "prefix",
            "a block of at most " + PUBLIC_ADDRESSES_MAX + " addresses such as 203.0.113.0/30",
            text ->
                Cidr.tryParse(text).filter(each -> each.sizeSaturated() <= PUBLIC_ADDRESSES_MAX));
    Map<String, Object> tags = new LinkedHashMap<>(section.texts("tags"));
    List<String> zones = section.values("zones", "a zone such as 1", Optional::of);
    Document tagged = tags.isEmpty() ? Document.EMPTY : Document.of("tags", Document.of(tags));
    Document all = zones.isEmpty() ? tagged : tagged.with("zones", zones);
    int used = section.number("used", 0, 0, PUBLIC_ADDRESSES_MAX);
    range.ifPresent(
        block ->
            steps.add(
                new Step(
                    section.place(),
                    owner -> owner.addPublicPrefix(id, location, block, all, used))));
    return id;
  }

  private String scaleSet(Section section) {
    String id = id(section, "id", SET);
    String location = location(section);
    boolean uniform =
        section.value(
            "orchestration",
            true,
            "Uniform or Flexible",
            text ->
                Optional.of(text.equals("Uniform")).filter(yes -> yes || text.equals("Flexible")));
    List<Document> interfaces = interfaces(section);
    int instances = section.number("instances", 0, 0, INSTANCES_MAX);
    Place place = section.place();
    steps.add(new Step(place, owner -> owner.addScaleSet(id, location, uniform, interfaces)));
    for (int i = 0; i < instances; i++) {
      int number = i;
      if (uniform) {
        steps.add(new Step(place, owner -> owner.addInstance(id, number)));
      } else {
        addMember(place, id, location, interfaces, number);
      }
    }
    return id;
  }

  /** A member of a Flexible set is a machine with interfaces of its own. */
  private void addMember(
      Place place, String set, String location, List<Document> interfaces, int number) {
    ArmId id = ArmId.of(set);
    String name = id.name() + "_" + number;
    String machine = id.group() + "/providers/" + MACHINE + "/" + name;
    steps.add(new Step(place, owner -> owner.addMachine(machine, location, Optional.of(set))));
    addInterfaces(place, machine, name, interfaces);
  }

  private String machine(Section section) {
    String id = id(section, "id", MACHINE);
    String location = location(section);
    List<Document> interfaces = interfaces(section);
    Place place = section.place();
    steps.add(new Step(place, owner -> owner.addMachine(id, location, Optional.empty())));
    addInterfaces(place, id, ArmId.of(id).name(), interfaces);
    return id;
  }

  private void addInterfaces(
      Place place, String machine, String machineName, List<Document> interfaces) {
    String group = ArmId.of(machine).group();
    for (Document each : interfaces) {
      String nic =
          group
              + "/providers/Microsoft.Network/networkInterfaces/"
              + machineName
              + "-"
              + each.text("name").orElse("");
      Document properties = each.object("properties");
      steps.add(
          new Step(
              place,
              owner ->
                  owner.addInterface(
                      nic,
                      machine,
                      properties.objects("ipConfigurations"),
                      properties.without("ipConfigurations"))));
    }
  }

  private static List<Document> interfaces(Section section) {
    List<Document> models = section.sections("interfaces", ArmScenarioReader::interfaceModel);
    if (models.isEmpty()) {
      section.problem("interfaces", "is empty", "Write a network interface; Azure demands one.");
    }
    return models;
  }

  private static String name(Section section) {
    return section
        .neededValue(
            "name",
            "a name of letters, digits, hyphens, dots and _, such as eth0",
            text ->
                Optional.of(text)
                    .filter(
                        each -> each.matches("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,78}[A-Za-z0-9_])?")))
        .orElse("none");
  }

  private static Document interfaceModel(Section section) {
    String name = name(section);
    String subnet = id(section, "subnet", "Microsoft.Network/virtualNetworks/subnets");
    List<Document> groups =
        section.values("security-groups", "a resource id", ArmScenarioReader::scope).stream()
            .map(Document::reference)
            .toList();
    Document plain =
        Document.of("name", "primary")
            .withProperty("primary", true)
            .withProperty("subnet", Document.reference(subnet));
    Document primary =
        groups.isEmpty() ? plain : plain.withProperty("applicationSecurityGroups", groups);
    Document model = Document.of("name", name).withProperty("ipConfigurations", List.of(primary));
    return section
        .text("security-group")
        .map(each -> model.withProperty("networkSecurityGroup", Document.reference(each)))
        .orElse(model);
  }

  private static Role role(Section section) {
    List<String> actions =
        section.values("actions", "an action, or a part of one and *", Optional::of);
    if (actions.isEmpty()) {
      section.problem("actions", "is empty", "Write what the role allows.");
    }
    return new Role(
        section.text("principal").orElse("*"),
        section.value("scope", "/", "/ or a resource id", ArmScenarioReader::scope),
        actions,
        section.values("not-actions", "an action, or a part of one and *", Optional::of));
  }

  static ArmFault fault(Section section) {
    String operation =
        section.value(
            "operation",
            "*",
            "an operation's name or *",
            text ->
                Optional.of(text)
                    .filter(each -> each.equals("*") || Operation.ofTitle(each).isPresent()));
    ArmFault.Kind kind =
        section
            .neededValue(
                "kind",
                "one of " + Names.all(ArmFault.Kind.values()),
                Names.in(ArmFault.Kind.values()))
            .orElse(ArmFault.Kind.FAIL);
    ArmError plain =
        ArmError.of(
            section.number("status", 500, 400, 599),
            section.text("code").orElse("InternalServerError"),
            section.text("message").orElse("An internal error has occurred."));
    int wait = section.number("retry-after", 0, 0, 86_400);
    ArmError error = wait == 0 ? plain : plain.after(Duration.ofSeconds(wait));
    return new ArmFault(
        operation,
        section.text("on").orElse("").toLowerCase(Locale.ROOT),
        kind,
        error,
        section.share("probability", 1),
        section.number("skip", 0, 0, Integer.MAX_VALUE),
        section.number("times", Integer.MAX_VALUE, 0, Integer.MAX_VALUE));
  }

  private static Identity.Machine metadata(Section section) {
    Identity.Machine otherwise = ArmScenario.MACHINE;
    return new Identity.Machine(
        section.text("subscription").orElse(otherwise.subscription()),
        section.text("group").orElse(otherwise.group()),
        section.text("name").orElse(otherwise.name()),
        section.text("location").orElse(otherwise.location()),
        section.text("environment").orElse(otherwise.environment()));
  }
}
