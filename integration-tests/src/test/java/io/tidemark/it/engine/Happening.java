package io.tidemark.it.engine;

import io.tidemark.ip.IpAddress;
import io.tidemark.it.cluster.SteppedAgent;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One thing that happens to a node from outside of the operator. What exactly follows from the
 * object as it stands and from {@code dice}, so that equal objects change equally.
 *
 * @param node whose object; empty for the operator itself
 */
record Happening(Kind kind, String node, long dice) {
  /** Kinds of events, with how often each is drawn. */
  enum Kind {
    /** The agent introduces its node, again after a deletion. */
    CREATED(4),
    /** A person changes the watermarks. */
    MARKS(5),
    /** Pods come and go; the agent answers what it is asked. */
    PODS(10),
    /** The agent answers what it is asked. */
    ANSWER(5),
    /** The agent wants to keep all that was marked. */
    KEEP(3),
    /** Pods took some of what was marked before the agent saw the marks. */
    TAKEN_BACK(4),
    /** Somebody writes what no operator knows. */
    FIELD(2),
    /** Somebody asks the operator to leave the node alone, or no more. */
    IGNORE(1),
    /** The object is deleted. */
    DELETED(1),
    /** The operator ends and another one begins. */
    RESTART(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  private static final int LENGTH = 9;
  private static final int PODS_MAX = 16;

  /** The sequence of that seed: first each node is created, then whatever comes. */
  static List<Happening> sequence(long seed, List<String> nodes) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Kind> urn = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < kind.weight; i++) {
        urn.add(kind);
      }
    }
    List<Happening> all = new ArrayList<>();
    nodes.forEach(node -> all.add(new Happening(Kind.CREATED, node, random.nextLong())));
    while (all.size() < LENGTH) {
      Kind kind = urn.get(random.nextInt(urn.size()));
      String node = kind == Kind.RESTART ? "" : nodes.get(random.nextInt(nodes.size()));
      all.add(new Happening(kind, node, random.nextLong()));
    }
    return all;
  }

  /** A new object of this node. */
  NodeResource introduced() {
    return MockAccount.introduced(node, marks(new SplittableRandom(dice)));
  }

  /** The object after what happened to it. */
  NodeResource appliedTo(NodeResource now) {
    SplittableRandom random = new SplittableRandom(dice);
    return switch (kind) {
      case MARKS -> now.withIpam(marks(random));
      case PODS -> pods(now, random);
      case ANSWER -> agent(held(now)).applied(now);
      case KEEP -> keep(now);
      case TAKEN_BACK -> takenBack(now, random);
      case FIELD -> SequenceJson.withForeignField(now, random);
      case IGNORE -> SequenceJson.withIgnore(now, !now.ignored());
      case CREATED, DELETED, RESTART -> now;
    };
  }

  private static IpamSpec marks(SplittableRandom random) {
    int max = random.nextInt(4) == 0 ? 4 + random.nextInt(16) : 0;
    return random.nextBoolean()
        ? IpamSpec.of(random.nextInt(3), 0, max, 0)
        : IpamSpec.of(random.nextInt(10), random.nextInt(12), max, random.nextInt(4));
  }

  private static Map<IpAddress, String> held(NodeResource now) {
    Map<IpAddress, String> held = new TreeMap<>();
    now.usedEntries().forEach((address, entry) -> held.put(address, entry.owner()));
    return held;
  }

  /** One that has just started: what it says follows from the object. */
  private SteppedAgent agent(Map<IpAddress, String> held) {
    return new SteppedAgent(node, held, dice);
  }

  private NodeResource pods(NodeResource now, SplittableRandom random) {
    SteppedAgent agent = agent(held(now));
    agent.applied(now);
    int wanted = random.nextInt(PODS_MAX);
    List<IpAddress> holders = new ArrayList<>(agent.used().keySet());
    while (holders.size() > wanted) {
      agent.ends(holders.remove(random.nextInt(holders.size())));
    }
    boolean more = true;
    while (more && agent.used().size() < wanted) {
      more = agent.starts("default/pod-" + random.nextInt(1_000));
    }
    return agent.applied(now);
  }

  private static NodeResource keep(NodeResource now) {
    Map<IpAddress, HandshakeState> states = new TreeMap<>(now.releaseIps());
    states.replaceAll(
        (address, state) ->
            state == HandshakeState.MARKED_FOR_RELEASE ? HandshakeState.DO_NOT_RELEASE : state);
    return now.withReleaseIps(states);
  }

  private NodeResource takenBack(NodeResource now, SplittableRandom random) {
    Map<IpAddress, String> held = held(now);
    now.releaseIps()
        .forEach(
            (address, state) -> {
              if (state == HandshakeState.MARKED_FOR_RELEASE && random.nextBoolean()) {
                held.put(address, "default/again-" + random.nextInt(1_000));
              }
            });
    return agent(held).applied(now);
  }

  @Override
  public String toString() {
    return kind + " " + node;
  }
}
