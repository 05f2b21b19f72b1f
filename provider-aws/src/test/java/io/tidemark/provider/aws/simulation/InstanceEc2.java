package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.eni.SettingsSample;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.scenario.CloudShape;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.VirtualTime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One instance on the strict EC2 in virtual time: for programs that work for it alone, and with
 * what others do to it.
 */
public final class InstanceEc2 {
  /** How far reads may lag behind. */
  public static final Duration LAG_MAX = Duration.ofSeconds(20);

  /** With {@code true}, an attached interface is not for pods. */
  private static final Map<String, String> NO_MANAGE =
      Map.of("node.k8s.amazonaws.com/no_manage", "true");

  private static final String SUBNET = "subnet";
  private static final String TOKEN = "x-aws-ec2-metadata-token";
  private static final int BLOCK = 16;

  private final InstanceShape type;
  private final Cidr block;
  private final Ec2World world;
  private final Truth truth;
  private final Ec2Api api;
  private final String instance;
  private final Imds metadata;
  private final Set<String> ofOthers = new HashSet<>();

  /**
   * A world.
   *
   * @param subnet of the instance, and of its interfaces
   * @param buckets share of EC2's documented token buckets that the account has
   * @param troubled how long EC2 has troubles of its own, by the seed; zero for none
   */
  public InstanceEc2(
      VirtualTime time,
      long seed,
      InstanceShape type,
      Cidr subnet,
      double buckets,
      CloudTemper temper,
      Duration troubled) {
    this.type = type;
    this.block = subnet;
    Scenario scenario = scenario(seed, type, subnet, buckets, troubled);
    DirectReads.Reads reads = new DirectReads.Reads();
    this.world = new Ec2World(scenario, time, seed, false, false, reads.actions());
    this.truth = new Truth(world);
    this.api =
        Tempered.of(
            DirectReads.of(world, world.owner(), reads),
            world,
            temper,
            troubled.isZero() ? OwnFaults.none(time) : OwnFaults.drawn(scenario, time, seed),
            truth);
    this.instance = world.launch(type.name(), SUBNET);
    this.metadata = new Imds(new Imds.Setting(Optional.of(instance), Optional.empty()), seed);
    truth.lookAtInstance(instance);
    truth.drain();
  }

  private static Scenario scenario(
      long seed, InstanceShape type, Cidr subnet, double buckets, Duration troubled) {
    return new Scenario(
        "one instance",
        seed,
        troubled,
        Duration.ofHours(1),
        OperatorShape.DEFAULT,
        List.of(new SubnetShape(SUBNET, "vpc", "zone", subnet, List.of())),
        List.of(type),
        List.of(),
        new CloudShape(new TreeMap<>(), 0, buckets, LAG_MAX),
        StoreShape.DEFAULT,
        List.of());
  }

  // ---- programs of the instance

  /** The interfaces, for a program that knows nothing yet. */
  public InstanceInterfaces program(
      TaskScheduler scheduler, CloudCallsFactory factory, Cancellation shutdown) {
    CloudCalls calls =
        factory.create(Ec2CallLimits.ofInstance(Ec2World.ACCOUNT, Ec2World.REGION, 1));
    return new InstanceInterfaces(
        api,
        calls,
        SettingsSample.USUAL,
        new InstancePlace(
            new InstanceId(instance),
            SimulatedTypes.name(type.name()),
            Ec2World.REGION,
            world.real("vpc"),
            world.real("zone"),
            List.of(),
            "",
            ""),
        new InstanceTypeLimits(Map.of(), () -> api, calls, scheduler, Meters.none()),
        scheduler,
        Meters.none(),
        shutdown);
  }

  /** The interfaces as the metadata service shows them now. */
  public List<InstanceInterface> byMetadata() {
    InstanceMetadata service = this::metadata;
    try {
      return service.interfaces();
    } catch (MetadataUnavailable e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<String> metadata(String path) {
    String token =
        body(asked("PUT", "/latest/api/token", "x-aws-ec2-metadata-token-ttl-seconds", "60"));
    HttpResponse answer = asked("GET", "/latest/meta-data/" + path, TOKEN, token);
    return answer.status() == 200 ? Optional.of(body(answer)) : Optional.empty();
  }

  private static String body(HttpResponse answer) {
    return ((HttpResponse.Text) answer.body()).text();
  }

  private HttpResponse asked(String method, String path, String header, String value) {
    InetAddress here = InetAddress.getLoopbackAddress();
    return metadata.answer(
        new HttpRequest(method, path, "", Map.of(header, value), here, ""),
        world.model(),
        world.now());
  }

  // ---- what is

  /** The attached interfaces of the instance. */
  public List<CloudInterface> attached() {
    return truth.attachedTo(instance);
  }

  /** Whether pods may get addresses of an attached interface. */
  public static boolean isForPods(CloudInterface attached) {
    return attached.deviceIndex() == 0
        || !attached.tags().entrySet().containsAll(NO_MANAGE.entrySet());
  }

  /** The changes by the account's programs since the last call. */
  public List<CloudChange> drainChanges() {
    return truth.drain();
  }

  /** Ids of all interfaces that are attached to nothing. */
  public Set<String> unattached() {
    Set<String> ids = new HashSet<>();
    world
        .region()
        .interfaces()
        .present()
        .filter(each -> each.attachment().isEmpty())
        .forEach(each -> ids.add(each.id()));
    return ids;
  }

  /** Whether neither an interface of the instance nor a new one can get more of its kind. */
  public boolean isFull(boolean blocks) {
    int free = blocks ? freeBlocks() : world.region().addresses(world.real(SUBNET)).available();
    boolean room =
        attached().stream()
            .anyMatch(each -> isForPods(each) && each.places() < type.addressesPerInterface());
    boolean another = attached().size() < type.interfaces();
    return !(room && free >= 1) && !(another && free >= 2);
  }

  private int freeBlocks() {
    Set<Cidr> used = new HashSet<>();
    used.add(Cidr.containing(block.first(), 28));
    used.add(Cidr.containing(block.last(), 28));
    world.region().interfaces().present().forEach(each -> blocksOf(each, used));
    return (int) (block.sizeSaturated() / BLOCK) - used.size();
  }

  private static void blocksOf(Ec2NetworkInterface each, Set<Cidr> used) {
    each.addresses().first().ifPresent(one -> used.add(Cidr.containing(one, 28)));
    each.addresses().secondary().forEach(one -> used.add(Cidr.containing(one, 28)));
    used.addAll(each.addresses().prefixes());
  }

  // ---- what others do

  /** Others use so much of what each bucket refills in {@code seconds}. */
  public void neighboursTake(double share, double seconds) {
    world.neighboursTake(share, seconds);
  }

  /** Others create an interface that is attached to nothing; its id. */
  public String park(String description, Map<String, String> tags) {
    return world.create(SUBNET, description, tags).orElseThrow();
  }

  /** Ids of the interfaces that others have created and attached. */
  public Set<String> ofOthers() {
    return ofOthers;
  }

  /** Others attach an interface, if there is room for it. */
  public void attach(boolean forPods) {
    Map<String, String> tags = forPods ? Map.of("owner", "somebody else") : NO_MANAGE;
    Set<Integer> taken = new HashSet<>();
    attached().forEach(each -> taken.add(each.deviceIndex()));
    int index = 1;
    while (taken.contains(index)) {
      index++;
    }
    int free = index;
    world
        .create(SUBNET, "somebody else's", tags)
        .ifPresent(
            id -> {
              ofOthers.add(id);
              world.attach(id, instance, free);
              byOthers(id);
            });
  }

  /** Others detach an interface, and delete it if it was not created by a program of ours. */
  public void detach(CloudInterface attached) {
    String id = attached.id();
    String attachment =
        world.region().interfaces().find(id).orElseThrow().attachment().orElseThrow().id();
    world.tried("DetachNetworkInterface", "AttachmentId", attachment);
    world.pass();
    if (!attached.tags().containsKey("tidemark.io/token")) {
      world.tried("DeleteNetworkInterface", "NetworkInterfaceId", id);
    }
    byOthers(id);
  }

  /** Others add an address to an interface, if there is room. */
  public void add(CloudInterface to, boolean blocks) {
    world.tried(
        "AssignPrivateIpAddresses",
        "NetworkInterfaceId",
        to.id(),
        blocks ? "Ipv4PrefixCount" : "SecondaryPrivateIpAddressCount",
        "1");
    byOthers(to.id());
  }

  /** Others take an address or block from an interface. */
  public void remove(CloudInterface from, Cidr cidr) {
    world.tried(
        "UnassignPrivateIpAddresses",
        "NetworkInterfaceId",
        from.id(),
        cidr.isSingle() ? "PrivateIpAddress.1" : "Ipv4Prefix.1",
        cidr.isSingle() ? cidr.first().toString() : cidr.toString());
    byOthers(from.id());
  }

  private void byOthers(String id) {
    world.pass();
    truth.look(id);
    truth.drain();
  }

  /** Secondary addresses and blocks of an interface. */
  public static Set<Cidr> cidrs(CloudInterface of) {
    Set<Cidr> all = singles(of.singles());
    all.addAll(of.blocks());
    return all;
  }

  /** Addresses one by one. */
  public static Set<Cidr> singles(AddressSet of) {
    Set<Cidr> all = new HashSet<>();
    for (IpAddress each : of.toList()) {
      all.add(Cidr.single(each));
    }
    return all;
  }

  /** The instance's id. */
  public String id() {
    return instance;
  }
}
