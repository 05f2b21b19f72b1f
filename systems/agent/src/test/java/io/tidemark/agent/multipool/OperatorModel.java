package io.tidemark.agent.multipool;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The operator and the stored object: every version, and which blocks are the node's in truth. A
 * block that the agent gives back is another node's: at once where the operator lists the blocks;
 * else when it was not listed for two minutes, and up to three minutes after that was decided.
 */
final class OperatorModel {
  private static final long DELAY = Duration.ofMinutes(2).toNanos();
  private static final long UNDER_WAY = Duration.ofMinutes(3).toNanos();

  /** A block of a pool. */
  record Block(String pool, Cidr cidr) {}

  /** A version and when it was stored. */
  record Version(NodeResource object, long nanos) {}

  final List<Version> versions = new ArrayList<>();
  private final Random random;
  private final boolean agentLists;
  private final List<Block> universe;

  /** The operator's offer. */
  private final Set<Block> offered = new HashSet<>();

  /** The blocks that the agent gave back and the operator has not offered again. */
  private final Set<Block> givenBack = new HashSet<>();

  private final Map<Block, Long> leftOutSince = new HashMap<>();
  private final Map<Block, Long> releases = new HashMap<>();

  OperatorModel(Random random, boolean agentLists, List<Block> universe) {
    this.random = random;
    this.agentLists = agentLists;
    this.universe = universe;
    versions.add(new Version(NodeResource.named("n"), 0));
  }

  NodeResource newest() {
    return versions.get(versions.size() - 1).object();
  }

  /** Whether an address is the node's, or was taken from it by the operator alone. */
  boolean mayUse(String pool, IpAddress ip) {
    return universe.stream()
        .filter(each -> each.pool().equals(pool) && each.cidr().contains(ip))
        .anyMatch(each -> agentLists ? offered.contains(each) : !givenBack.contains(each));
  }

  /** The operator offers one block more or, where it may, one less. */
  void change(long now) {
    Block block = universe.get(random.nextInt(universe.size()));
    boolean held = listed(newest(), block);
    if (!offered.contains(block) && (agentLists || !held)) {
      offered.add(block);
      givenBack.remove(block);
      store(offering(newest()), now);
    } else if (!agentLists && held && random.nextInt(3) == 0) {
      offered.remove(block);
      store(offering(newest()), now);
    }
  }

  /** Decides about releases and carries out those that were decided long enough ago. */
  void pass(long now) {
    new LinkedHashMap<>(leftOutSince)
        .forEach(
            (block, since) -> {
              if (now - since >= DELAY) {
                releases.put(block, now + (long) (random.nextDouble() * UNDER_WAY));
                leftOutSince.remove(block);
              }
            });
    new LinkedHashMap<>(releases)
        .forEach(
            (block, due) -> {
              if (now - due >= 0) {
                releases.remove(block);
                offered.remove(block);
                store(offering(newest()), now);
              }
            });
  }

  /** A write of the agent on the newest version arrives. */
  Set<Block> stored(NodeResource written, long now) {
    Set<Block> gone = new HashSet<>();
    for (Block block : universe) {
      boolean before = listed(newest(), block);
      boolean after = listed(written, block);
      if (agentLists && after) {
        leftOutSince.remove(block);
      } else if (agentLists && offered.contains(block) && !releases.containsKey(block)) {
        leftOutSince.putIfAbsent(block, now);
      } else if (!agentLists && before && !after) {
        offered.remove(block);
        givenBack.add(block);
        gone.add(block);
      }
    }
    store(written, now);
    return gone;
  }

  private void store(NodeResource object, long now) {
    versions.add(new Version(object, now));
  }

  private static boolean listed(NodeResource object, Block block) {
    var allocated = object.pools().allocated().get(block.pool());
    return allocated != null && allocated.cidrs().contains(block.cidr());
  }

  private NodeResource offering(NodeResource base) {
    if (agentLists) {
      String[] blocks =
          offered.stream().map(each -> each.cidr().toString()).sorted().toArray(String[]::new);
      return TestPools.attached(base, blocks);
    }
    Map<String, List<String>> byPool = new TreeMap<>();
    base.pools()
        .allocated()
        .forEach(
            (pool, own) ->
                own.cidrs()
                    .forEach(
                        cidr -> {
                          if (offered.contains(new Block(pool, cidr))) {
                            byPool
                                .computeIfAbsent(pool, name -> new ArrayList<>())
                                .add(cidr.toString());
                          }
                        }));
    for (Block each : universe) {
      List<String> own = byPool.computeIfAbsent(each.pool(), name -> new ArrayList<>());
      if (offered.contains(each) && !own.contains(each.cidr().toString())) {
        own.add(random.nextInt(own.size() + 1), each.cidr().toString());
      }
    }
    NodeResource changed = base;
    for (Map.Entry<String, List<String>> each : byPool.entrySet()) {
      changed = TestPools.offering(changed, each.getKey(), each.getValue().toArray(String[]::new));
    }
    return changed;
  }
}
