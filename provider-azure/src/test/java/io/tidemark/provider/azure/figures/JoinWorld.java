package io.tidemark.provider.azure.figures;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.ipam.AzureAccount;
import io.tidemark.provider.azure.ipam.AzureAllocation;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.provider.azure.network.BlockingConnection;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.simulation.Waits;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.NodeOperations;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One operator on the strict Azure in virtual time, with Azure's documented buckets and the
 * latencies of docs/internals/performance.md, nothing going wrong. It tells when each node first
 * had what it asked for.
 */
final class JoinWorld {
  private static final Duration STORE = Duration.ofMillis(5);
  private static final URI ENDPOINT = URI.create(ArmDoors.ORIGIN);
  private static final String SUBSCRIPTION = ArmSamples.SUBSCRIPTION;
  private static final String OTHER_SUBSCRIPTION = "00000000-0000-0000-0000-000000000002";
  private static final String LOCATION = "westeurope";
  private static final Duration LONG = Duration.ofHours(12);

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final ArmEmulator azure;
  private final Shape shape;
  private final Random random;
  private final VirtualProcess operator = time.process("operator");
  private final EmulatorTransport transport;
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final Map<String, Long> askedNanos = new HashMap<>();
  private final Map<String, Long> waitedNanos = new HashMap<>();
  private Optional<NodeResourceStore.Watch> watch;
  private Predicate<ResourceId> hung = id -> false;
  private Predicate<String> polledInVain = path -> false;
  private long throttled;
  private int networks;

  /**
   * The shape of the run.
   *
   * @param calls how our own calls are paced
   * @param addressesPerWrite most addresses of one write
   * @param preAllocate addresses that each node keeps free
   * @param operation how long Azure's operations take
   * @param seed of every choice
   */
  record Shape(
      CloudCallsConfig calls,
      int addressesPerWrite,
      int preAllocate,
      DelayRange operation,
      long seed) {
    static Shape of(CloudCallsConfig calls, int addressesPerWrite) {
      DelayRange operation = DelayRange.fixed(Duration.ofSeconds(20));
      return new Shape(calls, addressesPerWrite, 8, operation, 1);
    }

    static Shape usual() {
      return of(CloudCallsConfig.defaults(), Integer.MAX_VALUE);
    }

    Shape with(int otherPreAllocate, DelayRange otherOperation) {
      return new Shape(calls, addressesPerWrite, otherPreAllocate, otherOperation, seed);
    }
  }

  JoinWorld(Shape shape) {
    this.shape = shape;
    this.random = new Random(shape.seed());
    this.azure =
        ArmEmulator.in(
            time,
            ModelOptions.builder(shape.seed())
                .throttling(true)
                .operation(shape.operation())
                .build());
    this.transport = new EmulatorTransport(azure.handler());
    StandardCloudCallsFactory factory =
        new StandardCloudCallsFactory(
            shape.calls(),
            operator,
            operator.effects(this::cloudFate),
            random,
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    AccessTokens tokens =
        new AccessTokens(
            factory.create(AccessTokens.policy("authority")),
            operator,
            this::token,
            new Cancellation());
    BlockingConnection counting = this::counted;
    ArmApi api = answering(ArmDoors.api(counting, ENDPOINT, tokens::now, operator.time()));
    AllocationImplementation provider =
        new AzureAllocation(
            new AzureAccount(
                () -> api,
                factory.create(ArmCallLimits.of("azure/figures", 1)),
                tokens,
                AzureSettingsSample.of(),
                operator,
                new Random(shape.seed() + 1),
                Meters.none(),
                (code, detail) -> {}),
            () -> {});
    NodeResourceStore store = server.client(operator);
    EngineConfig engine = EngineConfig.defaults().withPassTimeout(Duration.ofMinutes(5));
    NodeManager manager =
        new NodeManager(
            engine,
            new NodeManagerPorts(
                inSmallWrites(provider),
                store,
                operator,
                new Lanes(operator, 1),
                operator.effects((site, timeout) -> EffectFate.answered(STORE, STORE)),
                Meters.none(),
                node -> OptionalInt.of(0),
                random));
    server.client(time).watch(new Eyes());
    manager.start();
    watch = Optional.of(store.watch(manager.watcher()));
  }

  private AccessTokens.Token token() {
    String text = azure.handler().use(model -> model.giveToken("operator", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + Duration.ofHours(1).toMillis());
  }

  private EffectFate cloudFate(EffectSite site, Duration timeout) {
    int millis = isRead(site.operation()) ? 100 + random.nextInt(151) : 500 + random.nextInt(501);
    Duration half = Duration.ofMillis(millis).dividedBy(2);
    return EffectFate.answered(half, half);
  }

  /** Counts what Azure refused because it was asked too often. */
  private HttpResponse counted(HttpRequest request, Context context) {
    HttpResponse response = transport.sendSync(request, context);
    if (response.getStatusCode() == 429) {
      throttled++;
    }
    Optional<URI> operation =
        Optional.ofNullable(response.getHeaderValue(HttpHeaderName.AZURE_ASYNCOPERATION))
            .map(URI::create);
    if (operation.isPresent() && polledInVain.test(request.getUrl().getPath())) {
      azure.faults(refusing("Operations.Get").on(operation.get().getPath()));
    }
    return response;
  }

  // ---- parts that are changed for one figure

  /** Requests that concern a hung resource are never answered. */
  private ArmApi answering(ArmApi api) {
    return decorated(
        ArmApi.class,
        api,
        (name, arguments) -> {
          for (Object each : arguments) {
            ResourceId id =
                each instanceof WritableResource base
                    ? base.id()
                    : each instanceof ArmRead<?> read
                        ? read.id()
                        : each instanceof ArmList<?> list
                            ? ResourceId.parse(list.path().replaceFirst("/networkInterfaces$", ""))
                                .orElse(null)
                            : each instanceof ResourceId named ? named : null;
            if (id != null && hung.test(id)) {
              throw new NeverAnswers(id + " hangs");
            }
          }
          return arguments;
        },
        (name, answer) -> answer);
  }

  /** Nodes whose writes add no more addresses than the shape says. */
  private AllocationImplementation inSmallWrites(AllocationImplementation provider) {
    if (shape.addressesPerWrite() == Integer.MAX_VALUE) {
      return provider;
    }
    return decorated(
        AllocationImplementation.class,
        provider,
        (name, arguments) -> arguments,
        (name, answer) -> name.equals("createNode") ? small((NodeOperations) answer) : answer);
  }

  private NodeOperations small(NodeOperations node) {
    return decorated(
        NodeOperations.class,
        node,
        (name, arguments) -> {
          if (name.equals("allocateIps")) {
            AllocationAction action = (AllocationAction) arguments[0];
            int wanted = Math.min(action.ipv4().wanted(), shape.addressesPerWrite());
            arguments[0] = action.with(action.ipv4().wanting(wanted, OptionalInt.empty()), 0);
          }
          return arguments;
        },
        (name, answer) -> answer);
  }

  @FunctionalInterface
  private interface Change<T> {
    T of(String method, T value);
  }

  private static <T> T decorated(
      Class<T> type, T inner, Change<Object[]> arguments, Change<Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              Object[] changed =
                  arguments.of(method.getName(), given == null ? new Object[0] : given.clone());
              try {
                return answer.of(method.getName(), method.invoke(inner, changed));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  // ---- what happens

  /** Ends the operator, which is forgotten then; Azure and the nodes' resources stay. */
  void dropOperator() {
    watch.ifPresent(NodeResourceStore.Watch::close);
    watch = Optional.empty();
    operator.crash(VirtualProcess.OnTheWire.IS_LOST);
  }

  /** Requests that concern this instance are never answered. */
  void hang(String set, int number) {
    ResourceId id = ResourceId.of(instance(set, number));
    hung = each -> each.equals(id) || each.parent().filter(id::equals).isPresent();
  }

  /** Reads and writes of this instance are throttled, as if others used its own bucket up. */
  void refuse(String set, int number) {
    azure.faults(
        Stream.of("VirtualMachineScaleSetVMs.Get", "VirtualMachineScaleSetVMs.Update")
            .map(operation -> refusing(operation).on(instance(set, number)))
            .toArray(ArmFault[]::new));
  }

  /** The same of the polls of this instance's operations. */
  void refusePolls(String set, int number) {
    polledInVain = path -> path.equalsIgnoreCase(instance(set, number));
  }

  private static ArmFault refusing(String operation) {
    return ArmFault.every(operation, ArmFault.Kind.FAIL)
        .withError(
            ArmError.of(429, "OperationNotAllowed", "Too many requests.")
                .because("TooManyRequests", "The policy was exceeded.")
                .after(Duration.ofSeconds(15)));
  }

  private static String instance(String set, int number) {
    return setId(SUBSCRIPTION, "nodes", set) + "/virtualMachines/" + number;
  }

  private static String setId(String subscription, String group, String set) {
    return providers(subscription, group) + "/Microsoft.Compute/virtualMachineScaleSets/" + set;
  }

  private static String providers(String subscription, String group) {
    return "/subscriptions/" + subscription + "/resourceGroups/" + group + "/providers";
  }

  /** Starts so many virtual machines of one network; their nodes are not known yet. */
  List<NodeResource> bootMachines(String group, String prefix, int count) {
    List<NodeResource> nodes = new ArrayList<>();
    String providers = providers(SUBSCRIPTION, group);
    azure.change(
        resources -> {
          String subnet = makeSubnet(resources, SUBSCRIPTION, group, prefix);
          for (int i = 0; i < count; i++) {
            String name = prefix + "-" + i;
            String machine = providers + "/Microsoft.Compute/virtualMachines/" + name;
            resources.addMachine(machine, LOCATION, Optional.empty());
            resources.addInterface(
                providers + "/Microsoft.Network/networkInterfaces/" + name + "-eth0",
                machine,
                List.of(ArmSamples.primary(subnet)),
                Document.EMPTY);
            nodes.add(node(name, machine));
          }
        });
    return nodes;
  }

  /** The same on a Uniform set of its own network. */
  List<NodeResource> boot(String group, String set, int count) {
    return boot(SUBSCRIPTION, group, set, count);
  }

  /** The same on two sets of one subscription and one of another. */
  List<NodeResource> bootThreeSets(int count) {
    List<NodeResource> nodes = new ArrayList<>(boot(SUBSCRIPTION, "nodes", "pool-a", count / 3));
    nodes.addAll(boot(SUBSCRIPTION, "nodes", "pool-b", count / 3));
    nodes.addAll(boot(OTHER_SUBSCRIPTION, "more", "pool-c", count - 2 * (count / 3)));
    return nodes;
  }

  private List<NodeResource> boot(String subscription, String group, String set, int count) {
    List<NodeResource> nodes = new ArrayList<>();
    azure.change(
        resources -> {
          makeSet(resources, subscription, group, set);
          for (int i = 0; i < count; i++) {
            String id = resources.addInstance(setId(subscription, group, set), i);
            nodes.add(node(set + "-" + i, id));
          }
        });
    return nodes;
  }

  private NodeResource node(String name, String machine) {
    return Samples.node(name)
        .instanceId(machine.toLowerCase(Locale.ROOT))
        .preAllocate(shape.preAllocate())
        .build();
  }

  private String makeSubnet(Resources resources, String subscription, String group, String name) {
    String network =
        providers(subscription, group) + "/Microsoft.Network/virtualNetworks/network-" + name;
    String subnet = network + "/subnets/nodes";
    resources.addNetwork(network, LOCATION);
    resources.addSubnet(
        subnet, List.of(Cidr.parse("10." + (16 + networks++) + ".0.0/16")), false, 0);
    return subnet;
  }

  private void makeSet(Resources resources, String subscription, String group, String set) {
    String subnet = makeSubnet(resources, subscription, group, set);
    resources.addScaleSet(
        setId(subscription, group, set),
        LOCATION,
        true,
        List.of(ArmSamples.model("eth0", true, List.of(ArmSamples.primary(subnet)))));
  }

  /** The node joins after {@code delay}. */
  void join(NodeResource node, Duration delay) {
    time.after(
        delay,
        () -> {
          askedNanos.put(node.name(), time.nanos());
          server.create(node);
        });
  }

  void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Runs until all of them have what they asked for. */
  Waits await(Predicate<String> names) {
    long end = time.nanos() + LONG.toNanos();
    do {
      run(Duration.ofMillis(500));
    } while (time.nanos() < end && !served(names));
    return waits(names);
  }

  private boolean served(Predicate<String> names) {
    return askedNanos.keySet().stream().filter(names).allMatch(waitedNanos::containsKey);
  }

  private Waits waits(Predicate<String> names) {
    List<Double> seconds =
        waitedNanos.entrySet().stream()
            .filter(each -> names.test(each.getKey()))
            .map(each -> each.getValue() / 1e9)
            .sorted()
            .toList();
    long unserved =
        askedNanos.keySet().stream()
            .filter(names)
            .filter(each -> !waitedNanos.containsKey(each))
            .count();
    return new Waits(seconds, (int) unserved);
  }

  /** Requests per operation so far. */
  SortedMap<String, Integer> calls() {
    Map<String, Integer> counts = azure.handler().use(model -> model.audit().counts());
    return new TreeMap<>(counts);
  }

  /** Requests per operation since there were {@code before}. */
  SortedMap<String, Integer> callsSince(SortedMap<String, Integer> before) {
    SortedMap<String, Integer> calls = calls();
    before.forEach((name, count) -> calls.computeIfPresent(name, (key, now) -> now - count));
    calls.values().removeIf(count -> count == 0);
    return calls;
  }

  /** How many requests these are, of the operations of some names. */
  static int sum(SortedMap<String, Integer> calls, Predicate<String> names) {
    return calls.entrySet().stream()
        .filter(each -> names.test(each.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  static boolean isRead(String operation) {
    return !operation.endsWith("Update");
  }

  /** Requests that Azure throttled so far. */
  long throttled() {
    return throttled;
  }

  private final class Eyes implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      Long asked = askedNanos.get(resource.name());
      if (asked != null
          && !waitedNanos.containsKey(resource.name())
          && resource.pool().size() >= shape.preAllocate()) {
        waitedNanos.put(resource.name(), time.nanos() - asked);
      }
    }

    @Override
    public void deleted(String name) {
      throw new IllegalStateException("nobody deletes " + name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new IllegalStateException(name + " cannot be read: " + problems);
    }

    @Override
    public void synced() {
      // what is there before has asked for nothing
    }
  }
}
