package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.claim.LedgerNode.Absence;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which node has which id, and what to do next for each node.
 *
 * <p>The caller enters the nodes and claims that there are, and asks for the next step of one name.
 * A claim ends only after its node was looked for and not found twice, with the cooldown in
 * between. While a node shows an id whose claim is lost, no node gets a new id.
 *
 * <p>Each method decides at once, under one lock that is never held across a call; times are those
 * of {@link io.tidemark.time.TimeSource#nanos()}. The caller does all work for one name in order.
 * Any thread may call.
 */
public final class IdLedger {
  private static final Comparator<LedgerNode> OLDEST_FIRST =
      Comparator.comparing(LedgerNode::created).thenComparing(each -> each.name);

  private final NodeIdSubnets subnets;
  private final long cooldownNanos;
  private final IdSteps steps;
  final IdPool pool;
  final Map<String, LedgerNode> nodes = new HashMap<>();
  final Map<NodeId, Claim> claims = new HashMap<>();

  /** Claims that stand for no id or name no node, with the reason. */
  private final Map<String, String> odd = new TreeMap<>();

  final Map<NodeId, NavigableSet<String>> mirrors = new HashMap<>();

  /** Ids that are being claimed, and for whom. */
  final Map<NodeId, LedgerNode> reservations = new HashMap<>();

  /** Ids that nodes show and that have no claim. */
  final Set<NodeId> lost = new HashSet<>();

  /** Nodes without an id that got none when they were last asked about. */
  final Set<String> waiting = new LinkedHashSet<>();

  private Set<String> touched = new LinkedHashSet<>();
  private boolean begun;

  /**
   * How many ids are in which state.
   *
   * @param claimed held by a node that is there
   * @param cooling held by a node that is gone, or by one that keeps another id
   * @param never never claimed, as far as this process knows
   * @param free claimed once, and free now
   */
  public record IdCounts(long claimed, long cooling, long never, long free) {}

  /**
   * A ledger that knows nothing; if {@code writesPodCidr}, pod subnets become pod CIDRs of nodes.
   */
  public IdLedger(NodeIdSubnets subnets, Duration cooldown, boolean writesPodCidr) {
    this.subnets = subnets;
    this.cooldownNanos = cooldown.toNanos();
    this.steps = new IdSteps(this, subnets, cooldownNanos, writesPodCidr);
    this.pool =
        new IdPool(
            subnets.capacity().ids(), id -> claims.containsKey(id) || mirrors.containsKey(id));
  }

  /**
   * All nodes and claims are known; steps may be taken from now on. Nodes without an id get theirs
   * in the order in which they were created, then by name.
   */
  public synchronized void begin(IdNotes notes, long now) {
    pool.begin(notes, notes.equals(IdNotes.NONE) ? now : now + cooldownNanos);
    begun = true;
    for (LedgerNode each : nodes.values().stream().sorted(OLDEST_FIRST).toList()) {
      steps.next(each, now);
      touched.add(each.name);
    }
  }

  public synchronized IdNotes notes() {
    return pool.notes();
  }

  // ---- what there is

  /** The node of a name as it is now; empty when there is none. */
  public synchronized void node(String name, Optional<ClusterNode> now, long nanos) {
    LedgerNode known = nodes.get(name);
    if (known == null && now.isEmpty()) {
      return;
    }
    LedgerNode it = account(name);
    Optional<NodeId> shown = it.mirror();
    boolean same = it.node != null && now.isPresent() && it.node.uid().equals(now.get().uid());
    if (!same) {
      it.confirmed = null;
      giveBack(it);
      if (waiting.remove(name)) {
        wakeOne();
      }
    }
    if (now.isPresent() || it.node != null) {
      it.absence = Absence.UNCONFIRMED;
    }
    it.node = now.orElse(null);
    Optional<NodeId> shows = it.mirror();
    if (!shown.equals(shows)) {
      shown.ifPresent(id -> unshow(id, name, nanos));
      shows.ifPresent(id -> mirrors.computeIfAbsent(id, key -> new TreeSet<>()).add(name));
      shown.ifPresent(this::review);
      shows.ifPresent(this::review);
    } else if (!same) {
      it.claims.keySet().forEach(this::review);
    }
    touched.add(name);
    forget(it);
  }

  /** An id that a node showed without a claim cools as one whose claim ends. */
  private void unshow(NodeId id, String name, long nanos) {
    mirrors.computeIfPresent(
        id,
        (key, names) -> {
          names.remove(name);
          return names.isEmpty() ? null : names;
        });
    if (!claims.containsKey(id)) {
      pool.released(id, nanos + cooldownNanos);
    }
  }

  /** The claim of a name as it is now; empty when there is none. */
  public synchronized void claim(String name, Optional<Claim> now, long nanos) {
    Optional<NodeId> named = ClaimName.id(name);
    odd.remove(name);
    if (named.isEmpty()) {
      now.ifPresent(claim -> odd.put(name, "its name is that of no id"));
      return;
    }
    NodeId id = named.get();
    Claim before = now.isPresent() ? claims.put(id, now.get()) : claims.remove(id);
    boolean moved = before != null && !now.map(Claim::holder).equals(Optional.of(before.holder()));
    if (before != null && (moved || now.isEmpty())) {
      LedgerNode holder = account(before.holder());
      holder.claims.remove(id);
      boolean cooled = hasCooled(holder, id, nanos);
      holder.surplus.remove(id);
      touched.add(holder.name);
      if (now.isEmpty()) {
        pool.released(id, cooled ? nanos : nanos + cooldownNanos);
        wakeOne();
      }
      forget(holder);
    }
    if (now.isPresent()) {
      pool.claimed(id);
      LedgerNode holder = account(now.get().holder());
      holder.claims.put(id, now.get());
      touched.add(holder.name);
      if (now.get().holder().isEmpty()) {
        odd.put(name, "it names no node");
      }
      LedgerNode reserver = reservations.get(id);
      if (reserver != null) {
        giveBack(reserver);
      }
    }
    review(id);
  }

  /** Whether the end of a claim is no loss: nobody needs to wait once more. */
  private boolean hasCooled(LedgerNode holder, NodeId id, long nanos) {
    Long since = holder.surplus.get(id);
    return holder.isPresent()
        ? since != null && nanos - since >= cooldownNanos
        : holder.absence == Absence.OVER;
  }

  public synchronized void absent(String name, long now) {
    LedgerNode it = nodes.get(name);
    if (it == null) {
      return;
    }
    if (it.isPresent()) {
      node(name, Optional.empty(), now);
    }
    if (it.absence == Absence.UNCONFIRMED) {
      it.absence = Absence.COOLING;
      it.absentSinceNanos = now;
    } else if (now - it.absentSinceNanos >= cooldownNanos) {
      it.absence = Absence.OVER;
    }
  }

  /**
   * Called under the lock: the node that waits longest for an id asks again; it wakes the next one
   * when it gets one.
   */
  void wakeOne() {
    waiting.stream().findFirst().ifPresent(touched::add);
  }

  private LedgerNode account(String name) {
    return nodes.computeIfAbsent(name, LedgerNode::new);
  }

  private void forget(LedgerNode it) {
    if (it.isEmpty()) {
      nodes.remove(it.name);
    }
  }

  void giveBack(LedgerNode it) {
    NodeId id = it.reserved;
    if (id != null) {
      it.reserved = null;
      reservations.remove(id);
      pool.giveBack(id);
      touched.add(it.name);
    }
  }

  /** The claim of an id or the nodes that show it are others: all who are concerned step again. */
  private void review(NodeId id) {
    Claim claim = claims.get(id);
    NavigableSet<String> shown = mirrors.get(id);
    if (claim != null) {
      touched.add(claim.holder());
    }
    if (shown != null) {
      touched.addAll(shown);
    }
    if (shown != null && claim == null && id.number() <= subnets.capacity().ids()) {
      lost.add(id);
    } else if (lost.remove(id) && lost.isEmpty()) {
      touched.addAll(waiting);
    }
  }

  /** The names for which there may be another step than before; each is told once. */
  public synchronized Set<String> takeTouched() {
    Set<String> all = touched;
    touched = new LinkedHashSet<>();
    return all;
  }

  public synchronized IdStep next(String name, long now) {
    LedgerNode it = nodes.get(name);
    return it == null || !begun || name.isEmpty() ? IdStep.Rest.QUIET : steps.next(it, now);
  }

  // ---- what can be asked

  /** The id of a node that holds its claim. */
  public synchronized Optional<NodeId> id(String name) {
    return Optional.ofNullable(nodes.get(name))
        .filter(LedgerNode::isPresent)
        .flatMap(LedgerNode::kept);
  }

  /** The id that is being claimed for a node; empty when none is. */
  public synchronized Optional<NodeId> next(String name) {
    return Optional.ofNullable(nodes.get(name)).flatMap(LedgerNode::next);
  }

  public synchronized boolean isPresent(String name) {
    LedgerNode it = nodes.get(name);
    return it != null && it.isPresent();
  }

  /** Claims that stand for no id, or name no node: what is wrong with each, by name. */
  public synchronized Map<String, String> oddClaims() {
    return Map.copyOf(odd);
  }

  public synchronized IdCounts counts() {
    long capacity = subnets.capacity().ids();
    long claimed = 0;
    long within = 0;
    for (Map.Entry<NodeId, Claim> each : claims.entrySet()) {
      LedgerNode holder = nodes.get(each.getValue().holder());
      boolean kept =
          holder != null && holder.isPresent() && holder.kept().equals(Optional.of(each.getKey()));
      claimed += kept ? 1 : 0;
      within += each.getKey().number() <= capacity ? 1 : 0;
    }
    long never = pool.neverClaimed(claims.keySet());
    long free = Math.max(0, capacity - within - never - pool.reserved());
    return new IdCounts(claimed, claims.size() - claimed, never, free);
  }
}
