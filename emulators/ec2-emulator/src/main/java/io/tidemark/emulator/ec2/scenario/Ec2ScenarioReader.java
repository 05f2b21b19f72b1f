package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.InstancePlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.MetadataPlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.ReservationPlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.SubnetPlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.VpcPlan;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.ip.Cidr;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Gives a file its meaning and checks what one value alone cannot show. */
final class Ec2ScenarioReader {
  private static final Cidr HARMLESS = Cidr.parse("192.0.2.0/24");
  private static final String UNNAMED = "?";
  private static final int INSTANCES_MAX = 1000;
  private static final int ADDRESSES_MAX = 64;

  private final Ec2InstanceTypes types;
  private final Set<String> vpcs = new HashSet<>();
  private final Set<String> subnets = new HashSet<>();
  private final Set<String> instances = new HashSet<>();
  private String account = "000000000000";
  private String region = "us-east-1";

  private Ec2ScenarioReader(Ec2InstanceTypes types) {
    this.types = types;
  }

  static Function<Section, Ec2Scenario> of(Ec2InstanceTypes types) {
    return root -> new Ec2ScenarioReader(types).scenario(root);
  }

  private Ec2Scenario scenario(Section root) {
    account = account(root, account);
    region = region(root, region);
    Ec2ModelOptions options = Ec2OptionsReader.read(root, types);
    return new Ec2Scenario(
        options,
        root.sections("vpcs", this::vpc),
        root.sections("instances", this::instance),
        root.sections("faults", Ec2ScenarioReader::fault),
        denials(root),
        root.section("imds", this::metadata));
  }

  private VpcPlan vpc(Section section) {
    String name = name(section, vpcs);
    String owner = account(section, account);
    String place = region(section, region);
    Cidr block = section.block("cidr").orElse(HARMLESS);
    boolean ipv6 = section.flag("ipv6", false);
    return new VpcPlan(
        section.place(),
        name,
        owner,
        place,
        block,
        ipv6,
        section.texts("tags"),
        section.sections("subnets", each -> subnet(each, block, ipv6)));
  }

  private SubnetPlan subnet(Section section, Cidr of, boolean ipv6OfVpc) {
    String name = name(section, subnets);
    Cidr block = section.block("cidr").orElse(of);
    if (!of.contains(block)) {
      section.problem("cidr", "is " + block, "Write a part of the VPC's " + of + ".");
    }
    boolean ipv6 = section.flag("ipv6", false);
    if (ipv6 && !ipv6OfVpc) {
      section.problem("ipv6", "is true in a VPC without IPv6", "Set ipv6 of the VPC, too.");
    }
    return new SubnetPlan(
        section.place(),
        name,
        section.text("zone"),
        block,
        ipv6,
        section.texts("tags"),
        section.sections("reservations", each -> reservation(each, block)),
        section.values("share", "an account of twelve digits", Ec2ScenarioReader::parseAccount),
        section.has("fragmented")
            ? OptionalDouble.of(section.share("fragmented", 0))
            : OptionalDouble.empty());
  }

  private static ReservationPlan reservation(Section section, Cidr of) {
    Cidr block = section.block("cidr").orElse(of);
    if (!of.contains(block)) {
      section.problem("cidr", "is " + block, "Write a part of the subnet's " + of + ".");
    }
    return new ReservationPlan(
        section.place(),
        block,
        section.value(
            "type",
            "prefix",
            "prefix or explicit",
            text -> Optional.of(text).filter(Set.of("prefix", "explicit")::contains)));
  }

  private InstancePlan instance(Section section) {
    String name = name(section, instances);
    Optional<String> subnet = section.needed("subnet");
    if (subnet.isPresent() && !subnets.contains(subnet.get())) {
      section.problem(
          "subnet", "is '" + subnet.get() + "'", "Name one of the subnets of this scenario.");
    }
    return new InstancePlan(
        section.place(),
        name,
        subnet.orElse(UNNAMED),
        section
            .neededValue(
                "type",
                "an instance type of data/instance-types.csv, such as m5.large",
                text -> types.find(text).map(type -> text))
            .orElse(UNNAMED),
        section.number("count", 1, 1, INSTANCES_MAX),
        section.has("account") ? Optional.of(account(section, account)) : Optional.empty(),
        section.number("addresses", 0, 0, ADDRESSES_MAX),
        section.number("prefixes", 0, 0, ADDRESSES_MAX),
        section.texts("tags"));
  }

  private MetadataPlan metadata(Section section) {
    Optional<String> instance = section.text("instance");
    if (instance.isPresent() && !instances.contains(instance.get())) {
      section.problem(
          "instance", "is '" + instance.get() + "'", "Name one of the instances of this scenario.");
    }
    return new MetadataPlan(
        instance,
        section.has("role")
            ? section.neededValue(
                "role",
                "a role's name of 1 to 64 characters",
                text -> Optional.of(text).filter(t -> t.matches("[\\w+=,.@-]{1,64}")))
            : Optional.empty());
  }

  private static Ec2FaultRule fault(Section section) {
    String action =
        section.neededValue("action", ActionNames.EXPECTED, ActionNames::any).orElse("*");
    Ec2FaultRule.Kind kind =
        section
            .neededValue(
                "kind",
                "one of " + Names.all(Ec2FaultRule.Kind.values()),
                Names.in(Ec2FaultRule.Kind.values()))
            .orElse(Ec2FaultRule.Kind.FAIL);
    for (String key : List.of("code", "message", "status")) {
      if (section.has(key) && kind != Ec2FaultRule.Kind.FAIL) {
        section.problem(key, "says how to fail, but kind is not fail", "Remove one of the two.");
      }
    }
    return new Ec2FaultRule(
        action,
        kind,
        new Ec2Error(
            section.text("code").orElse("InternalError"),
            section.text("message").orElse("An internal error has occurred"),
            section.number("status", 500, 400, 599)),
        section.share("probability", 1),
        section.number("skip", 0, 0, Integer.MAX_VALUE),
        section.number("times", Integer.MAX_VALUE, 0, Integer.MAX_VALUE));
  }

  private static SortedMap<String, Set<String>> denials(Section root) {
    SortedMap<String, Set<String>> denials = new TreeMap<>();
    root.sections(
        "deny",
        section -> {
          String principal = section.needed("principal").orElse("*");
          Set<String> actions =
              Set.copyOf(section.values("actions", ActionNames.EXPECTED, ActionNames::any));
          if (actions.isEmpty()) {
            section.problem("actions", "holds nothing", "Write a list of actions.");
          }
          if (denials.put(principal, actions) != null) {
            section.problem(
                "principal", "'" + principal + "' stands twice", "Join its two lists of actions.");
          }
          return principal;
        });
    return denials;
  }

  private static String name(Section section, Set<String> taken) {
    Optional<String> name =
        section.neededValue(
            "name",
            "a name of letters, digits, '.', '_' and '-'",
            text -> Optional.of(text).filter(t -> t.matches("[A-Za-z0-9._-]{1,100}")));
    if (name.isPresent() && !taken.add(name.get())) {
      section.problem("name", "'" + name.get() + "' stands twice", "Give each its own name.");
    }
    return name.orElse(UNNAMED);
  }

  private static String account(Section section, String otherwise) {
    return section.value(
        "account", otherwise, "an account of twelve digits", Ec2ScenarioReader::parseAccount);
  }

  private static String region(Section section, String otherwise) {
    return section.value(
        "region", otherwise, "a region such as eu-west-1", Ec2ScenarioReader::parseRegion);
  }

  private static Optional<String> parseAccount(String text) {
    return Optional.of(text).filter(t -> t.matches("[0-9]{12}"));
  }

  private static Optional<String> parseRegion(String text) {
    return Optional.of(text).filter(t -> t.matches("[a-z]{2,8}(-[a-z]+)+-[0-9]{1,2}"));
  }
}
