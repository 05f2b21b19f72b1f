package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentStory;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A test of a node's object and its agent in words, as "pool 1 2; start 1; next a = 2; mark 2
 * released"; "2!db" is an address that is reserved for the owner "db".
 */
final class CrdStory extends AgentStory {
  private final CrdWorld world = new CrdWorld();
  private Optional<InterfaceDetails> details = Optional.empty();
  private long writes;

  private CrdStory() {}

  /** Runs it to its end. */
  static void run(String story) {
    new CrdStory().tell(story);
  }

  @Override
  protected void pass(Duration duration) {
    world.pass(duration);
  }

  @Override
  protected String answer(String verb, List<String> args) {
    return switch (verb) {
      case "mode" -> done(() -> world.mode = CrdMode.valueOf(args.get(0)));
      case "bothFamilies" -> done(() -> world.families = EnumSet.allOf(IpFamily.class));
      case "instance" -> done(() -> world.instance = Optional.of(args.get(0)));
      case "cools" ->
          done(() -> world.cooling = new CoolingRule(duration(args.get(0)), Duration.ZERO));
      case "absent" -> done(() -> world.absent.add(args.get(0)));
      case "present" -> done(world.absent::clear);
      case "pool" -> object(CrdWorld.sample(ips(args)), args);
      case "poolOfNone" -> object(Samples.node(CrdWorld.NODE).pool("", ips(args)), args);
      case "spec" -> edit(node -> node.withPool(PodIpPool.of(addresses("eni-1", args))));
      case "has" -> edit(node -> withPool(node, args.get(0), args.subList(1, args.size())));
      case "lists" -> edit(node -> withEni(node, args));
      case "mark" -> done(() -> world.mark(ip(args.get(0)), state(args.get(1))));
      case "withdraw" -> done(() -> world.withdraw(ip(args.get(0))));
      case "changes" -> edit(node -> node.withPreAllocate(3));
      case "becomes" -> edit(node -> node.withInstanceId(args.get(0)));
      case "touch" -> done(() -> world.server.touch(CrdWorld.NODE));
      case "delete" -> done(() -> world.server.delete(CrdWorld.NODE));
      case "fault" -> done(() -> world.faults = fault(args.get(0)));
      default -> agent(verb, args);
    };
  }

  private String agent(String verb, List<String> args) {
    return switch (verb) {
      case "start" -> done(() -> world.start(ips(args)));
      case "begin" -> done(world::begin);
      case "finish" -> done(world::finish);
      case "finished" -> done(() -> world.ipam().restoreFinished(IpFamily.valueOf(args.get(0))));
      case "crash" -> done(world::crash);
      case "close" -> done(world::close);
      case "busy" ->
          done(
              () -> {
                world.pass(CrdWorld.RATE);
                world.release("10.0.0.1");
                world.take("10.0.0.1", "again");
                world.pass(Duration.ofSeconds(1));
              });
      case "restore" ->
          outcome(
              world.ipam().restore(IpAddress.parse(ip(args.get(0))), args.get(1), CrdWorld.POOL));
      case "release" -> done(() -> args.forEach(each -> world.release(ip(each))));
      case "take" -> outcome(allocation(args.get(0), args.get(1)));
      case "why" -> why(allocation(args.get(0), "other"));
      case "next" -> list(args, owner -> outcome(next(IpFamily.IPV4, owner)));
      case "next6" -> list(args, owner -> outcome(next(IpFamily.IPV6, owner)));
      case "whyNext" -> why(next(IpFamily.IPV4, args.get(0)));
      case "interface" -> details.map(InterfaceDetails::number).orElse("none");
      case "state" -> world.state(ip(args.get(0))).map(HandshakeState::wire).orElse("none");
      case "used" ->
          list(
              world.used().entrySet(),
              each ->
                  shorter(each.getKey())
                      + ":"
                      + each.getValue().owner()
                      + "@"
                      + each.getValue().resource());
      case "counts" -> list(world.ipam().snapshot(), each -> counts(each.counts()));
      case "reserved" -> list(world.now().pool().reserved().keySet(), AgentStory::shorter);
      case "status" -> world.pool().status();
      case "unable" -> String.valueOf(world.ipam().unable().isPresent());
      case "timers" -> String.valueOf(world.time.pending());
      case "writes" -> {
        long before = writes;
        writes = world.writes();
        yield String.valueOf(writes - before);
      }
      default -> throw new IllegalArgumentException(verb);
    };
  }

  // ---- words

  private static String ip(String word) {
    return full(word.replaceFirst("!.*", ""));
  }

  private static String[] ips(List<String> words) {
    return words.stream().map(CrdStory::ip).toArray(String[]::new);
  }

  private static HandshakeState state(String word) {
    return HandshakeState.ofWire(word).orElseThrow();
  }

  // ---- the object

  private String object(NodeSample sample, List<String> words) {
    NodeResource node = sample.build();
    for (String word : words) {
      if (word.contains("!")) {
        node = reserved(node, ip(word), word.substring(word.indexOf('!') + 1));
      }
    }
    world.object(node);
    return "";
  }

  /** The object with an owner at an address of its pool. */
  static NodeResource reserved(NodeResource node, String ip, String owner) {
    String key = "\"" + ip + "\":{";
    String text = NodeResourceJson.print(node);
    assertThat(text).contains(key);
    String entry = key + "\"owner\":\"" + owner + "\",";
    return Samples.parsed(text.replace(key, entry).replace(",}", "}"));
  }

  private String edit(UnaryOperator<NodeResource> change) {
    world.edit(change);
    return "";
  }

  private static Map<String, AddressSet> addresses(String id, List<String> words) {
    List<IpAddress> all = words.stream().map(word -> IpAddress.parse(ip(word))).toList();
    return all.isEmpty() ? Map.of() : Map.of(id, AddressSet.copyOf(all));
  }

  /** Pool and status, where the status has the interface. */
  private static NodeResource withPool(NodeResource node, String id, List<String> words) {
    Map<String, AddressSet> pool = new TreeMap<>(node.pool().byResource());
    pool.putAll(addresses(id, words));
    NodeResource changed = node.withPool(PodIpPool.of(pool));
    boolean listed = node.eniStatus().filter(it -> it.enis().containsKey(id)).isPresent();
    return listed ? withEni(changed, id, words) : changed;
  }

  /** The status lists addresses under an interface, or nothing at all. */
  private static NodeResource withEni(NodeResource node, List<String> args) {
    return args.isEmpty()
        ? node.withEniStatus(new EniStatus(new TreeMap<>()))
        : withEni(node, args.get(0), args.subList(1, args.size()));
  }

  private static NodeResource withEni(NodeResource node, String id, List<String> words) {
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>(node.eniStatus().orElseThrow().enis());
    enis.put(id, Samples.eni(id, Integer.parseInt(id.substring(4)), ips(words)));
    return node.withEniStatus(new EniStatus(enis));
  }

  private static Function<Operation, Optional<StoreResult>> fault(String word) {
    Optional<StoreResult> result =
        switch (word) {
          case "conflict" -> Optional.of(new StoreResult.Conflict());
          case "failed" -> Optional.of(new StoreResult.Failed("x"));
          case "refused" -> Optional.of(new StoreResult.Refused("x"));
          case "none" -> Optional.empty();
          default -> throw new IllegalArgumentException(word);
        };
    return operation -> operation == Operation.UPDATE_STATUS ? result : Optional.empty();
  }

  // ---- requests

  private Allocation allocation(String word, String owner) {
    return world.ipam().allocate(IpAddress.parse(ip(word)), owner, CrdWorld.POOL, UpstreamSync.NOW);
  }

  private Allocation next(IpFamily family, String owner) {
    return world.ipam().allocateNext(family, owner, CrdWorld.POOL, UpstreamSync.NOW);
  }

  private String outcome(Allocation allocation) {
    if (allocation instanceof Allocation.Granted granted) {
      details = granted.result().details();
      return shorter(granted.result().ip());
    }
    return denied(allocation);
  }
}
