package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import io.tidemark.emulator.ec2.types.Hardware;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Listings that are the same for every account: regions, zones, images and instance types. */
final class PublicFacts {
  /** Documented for InstanceTypes. */
  private static final int TYPE_NAMES_MAX = 100;

  private static final String ALWAYS = "opt-in-not-required";
  private static final String NOT_YET = "not-opted-in";
  private static final List<String> ENABLED =
      List.of(
          ("ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1 ap-southeast-2"
                  + " ca-central-1 eu-central-1 eu-north-1 eu-west-1 eu-west-2 eu-west-3 sa-east-1"
                  + " us-east-1 us-east-2 us-west-1 us-west-2")
              .split(" "));

  /** Regions that an account must opt in to ("AWS Regions", AWS Account Management). */
  private static final List<String> OPTIONAL =
      List.of(
          ("af-south-1 ap-east-1 ap-east-2 ap-south-2 ap-southeast-3 ap-southeast-4 ap-southeast-5"
                  + " ap-southeast-7 ca-west-1 eu-central-2 eu-south-1 eu-south-2 il-central-1"
                  + " me-central-1 me-south-1 mx-central-1")
              .split(" "));

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "DescribeAvailabilityZones",
              "ZoneName[] ZoneId[] AllAvailabilityZones:flag" + DeclaredAction.FILTERS,
              PublicFacts::zones),
          DeclaredAction.of(
              "DescribeImages",
              "ImageId[] Owner[] ExecutableBy[] ~IncludeDeprecated ~IncludeDisabled"
                  + DeclaredAction.PAGES,
              PublicFacts::images),
          DeclaredAction.of(
              "DescribeInstanceTypes",
              "InstanceType[] ~IncludeUnsupportedInRegion" + DeclaredAction.PAGES,
              PublicFacts::types),
          DeclaredAction.of(
              "DescribeRegions",
              "RegionName[] AllRegions:flag" + DeclaredAction.FILTERS,
              PublicFacts::regions));

  private PublicFacts() {}

  /** A region with whether an account must opt in to it. */
  private record Listed(String name, String optIn) {
    String endpoint() {
      return "ec2." + name + (name.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
    }
  }

  /**
   * Lists the regions that are enabled for every account, and the caller's; with AllRegions also
   * those that an account must opt in to. Who asks in a region has it.
   */
  private static Answer regions(Call call) {
    String own = call.region().name();
    Map<String, String> known = new TreeMap<>();
    ENABLED.forEach(name -> known.put(name, ALWAYS));
    OPTIONAL.forEach(name -> known.put(name, NOT_YET));
    known.put(own, OPTIONAL.contains(own) ? "opted-in" : ALWAYS);
    List<String> named = call.parameters().texts("RegionName");
    requireKnown(named, known.keySet(), "Invalid region: [%s]");
    boolean all = call.parameters().isSet("AllRegions");
    Predicate<Listed> filter =
        new Ec2Filters<Listed>("DescribeRegions")
            .by("region-name", Listed::name)
            .by("opt-in-status", Listed::optIn)
            .by("endpoint", Listed::endpoint)
            .read(call.parameters());
    List<Answer> found =
        known.entrySet().stream()
            .map(each -> new Listed(each.getKey(), each.getValue()))
            .filter(each -> named.isEmpty() || named.contains(each.name()))
            .filter(each -> all || !named.isEmpty() || !each.optIn().equals(NOT_YET))
            .filter(filter)
            .map(
                each ->
                    Answer.of("regionName", each.name())
                        .put("regionEndpoint", each.endpoint())
                        .put("optInStatus", each.optIn()))
            .toList();
    return Answer.of("regionInfo", found);
  }

  private static void requireKnown(
      Collection<String> named, Collection<String> known, String format) {
    for (String name : named) {
      Ec2Refusal.when(!known.contains(name), "InvalidParameterValue", format, name);
    }
  }

  /** Lists the Availability Zones of the region. */
  private static Answer zones(Call call) {
    List<Zone> zones = call.region().zones();
    String region = call.region().name();
    List<String> names = call.parameters().texts("ZoneName");
    List<String> ids = call.parameters().texts("ZoneId");
    String unknown = "Invalid availability zone: [%s]";
    requireKnown(names, zones.stream().map(Zone::name).toList(), unknown);
    requireKnown(ids, zones.stream().map(Zone::id).toList(), unknown);
    Predicate<Zone> filter =
        new Ec2Filters<Zone>("DescribeAvailabilityZones")
            .by("zone-name", Zone::name)
            .by("zone-id", Zone::id)
            .by("region-name", zone -> region)
            .by("state", zone -> "available")
            .by("zone-type", zone -> "availability-zone")
            .by("opt-in-status", zone -> ALWAYS)
            .read(call.parameters());
    List<Answer> found =
        zones.stream()
            .filter(zone -> names.isEmpty() || names.contains(zone.name()))
            .filter(zone -> ids.isEmpty() || ids.contains(zone.id()))
            .filter(filter)
            .map(
                zone ->
                    Answer.of("zoneName", zone.name())
                        .put("zoneId", zone.id())
                        .put("zoneState", "available")
                        .put("regionName", region)
                        .put("optInStatus", ALWAYS)
                        .put("zoneType", "availability-zone")
                        .put("networkBorderGroup", region))
            .toList();
    return Answer.of("availabilityZoneInfo", found);
  }

  /** Lists the one image that there is, which belongs to Amazon and anybody may launch. */
  private static Answer images(Call call) {
    Parameters parameters = call.parameters();
    PageRequest.read(parameters, "ImageId", 1000);
    parameters.texts("ImageId").forEach(MachineImage::require);
    Predicate<Answer> filter = MachineImage.FILTERS.read(parameters);
    List<String> owners = parameters.texts("Owner");
    List<String> users = parameters.texts("ExecutableBy");
    boolean wanted =
        (owners.isEmpty() || owners.contains("amazon") || owners.contains(MachineImage.OWNER))
            && (users.isEmpty() || users.contains("all"));
    return Answer.of(
        "imagesSet", Stream.of(MachineImage.SHOWN).filter(image -> wanted).filter(filter).toList());
  }

  /** Lists instance types with their limits, by name. */
  private static Answer types(Call call) {
    PageRequest page = PageRequest.read(call.parameters(), "InstanceType", 100);
    Predicate<Ec2InstanceType> filter =
        new Ec2Filters<Ec2InstanceType>("DescribeInstanceTypes")
            .by("instance-type", Ec2InstanceType::name)
            .by("bare-metal", Ec2InstanceType::bareMetal)
            .by("hypervisor", PublicFacts::hypervisor)
            .by("current-generation", t -> t.hardware().currentGeneration())
            .by("vcpu-info.default-vcpus", t -> t.hardware().vcpus())
            .by("vcpu-info.default-cores", t -> t.hardware().cores())
            .by("vcpu-info.default-threads-per-core", t -> t.hardware().threadsPerCore())
            .by("memory-info.size-in-mib", t -> t.hardware().memoryMib())
            .by("processor-info.supported-architecture", t -> t.hardware().architectures().stream())
            .by("network-info.network-performance", t -> t.hardware().networkPerformance())
            .by("network-info.ena-support", t -> t.hardware().ena())
            .by("network-info.efa-supported", t -> t.hardware().efaInterfaces() > 0)
            .by("network-info.efa-info.maximum-efa-interfaces", t -> t.hardware().efaInterfaces())
            .by("network-info.maximum-network-interfaces", Ec2InstanceType::maximumInterfaces)
            .by("network-info.maximum-network-cards", t -> t.cards().size())
            .by("network-info.ipv4-addresses-per-interface", Ec2InstanceType::ipv4PerInterface)
            .by("network-info.ipv6-addresses-per-interface", Ec2InstanceType::ipv6PerInterface)
            .by("network-info.ipv6-supported", t -> t.ipv6PerInterface() > 0)
            .read(call.parameters());
    List<Ec2InstanceType> found = named(call).stream().filter(filter).toList();
    return Listing.of(found, page, Ec2InstanceType::name)
        .answer("instanceTypeSet", PublicFacts::type);
  }

  private static List<Ec2InstanceType> named(Call call) {
    List<String> names = call.parameters().texts("InstanceType");
    if (names.isEmpty()) {
      return call.region().types().all();
    }
    Ec2Refusal.when(
        names.size() > TYPE_NAMES_MAX,
        "InvalidParameterValue",
        "The maximum number of instance types on a single call is %s",
        TYPE_NAMES_MAX);
    List<Ec2InstanceType> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String name : names.stream().distinct().toList()) {
      call.region().types().find(name).ifPresentOrElse(found::add, () -> missing.add(name));
    }
    Ec2Refusal.when(
        !missing.isEmpty(),
        "InvalidInstanceType",
        "The following supplied instance types do not exist: [%s]",
        String.join(", ", missing));
    return found;
  }

  /** Empty for bare metal, where EC2 leaves it out. */
  private static Optional<String> hypervisor(Ec2InstanceType type) {
    return Optional.of(type.hypervisor()).filter(text -> !text.isEmpty());
  }

  private static Answer type(Ec2InstanceType type) {
    Hardware hardware = type.hardware();
    return Answer.of("instanceType", type.name())
        .put("currentGeneration", hardware.currentGeneration())
        .put("bareMetal", type.bareMetal())
        .put("hypervisor", hypervisor(type))
        .put("processorInfo", Answer.of("supportedArchitectures", hardware.architectures()))
        .put(
            "vCpuInfo",
            Answer.of("defaultVCpus", hardware.vcpus())
                .put("defaultCores", hardware.cores())
                .put("defaultThreadsPerCore", hardware.threadsPerCore()))
        .put("memoryInfo", Answer.of("sizeInMiB", hardware.memoryMib()))
        .put("networkInfo", network(type, hardware));
  }

  private static Answer network(Ec2InstanceType type, Hardware hardware) {
    return Answer.of("networkPerformance", hardware.networkPerformance())
        .put("maximumNetworkInterfaces", type.maximumInterfaces())
        .put("maximumNetworkCards", type.cards().size())
        .put("defaultNetworkCardIndex", type.defaultCard())
        .put(
            "networkCards",
            IntStream.range(0, type.cards().size()).mapToObj(i -> card(type, i)).toList())
        .put("ipv4AddressesPerInterface", type.ipv4PerInterface())
        .put("ipv6AddressesPerInterface", type.ipv6PerInterface())
        .put("ipv6Supported", type.ipv6PerInterface() > 0)
        .put("enaSupport", hardware.ena())
        .put("efaSupported", hardware.efaInterfaces() > 0)
        .put(
            "efaInfo",
            Optional.of(hardware.efaInterfaces())
                .filter(most -> most > 0)
                .map(most -> Answer.of("maximumEfaInterfaces", most)));
  }

  private static Answer card(Ec2InstanceType type, int index) {
    return Answer.of("networkCardIndex", index)
        .put("networkPerformance", type.cards().get(index).networkPerformance())
        .put("maximumNetworkInterfaces", type.cards().get(index).maximumInterfaces());
  }
}
