package io.tidemark.agent;

import static java.util.Objects.requireNonNull;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A test of the facade of a node in words, as "cools 130s 0s 0/30; next a = 1; release 1". */
final class IpamStory extends AgentStory {
  private TestNode node = TestNode.hostScope("10.0.0.0/24");
  private final Map<String, Lease> leases = new HashMap<>();

  private IpamStory() {}

  /** Runs it to its end. */
  static void run(String story) {
    new IpamStory().tell(story);
  }

  @Override
  protected void pass(Duration duration) {
    node.pass(duration);
  }

  @Override
  protected String answer(String verb, List<String> args) {
    return switch (verb) {
      case "range" -> done(() -> node = TestNode.hostScope(blocks(args)));
      case "cools" ->
          done(
              () ->
                  node =
                      TestNode.cooling(
                          duration(args.get(0)),
                          duration(args.get(1)),
                          blocks(args.subList(2, args.size()))));
      case "change" ->
          list(
              change(args.get(0)).held(),
              it ->
                  shorter(it.ip())
                      + ":"
                      + it.owner()
                      + (it.state() == Held.IN_USE ? "" : "/" + it.state()));
      case "take" -> outcome(allocation(args.get(0), args.get(1)));
      case "why" -> why(allocation(args.get(0), "other"));
      case "next" -> list(args, owner -> outcome(next(IpFamily.IPV4, owner)));
      case "next6" -> list(args, owner -> outcome(next(IpFamily.IPV6, owner)));
      case "whyNext" -> why(next(IpFamily.IPV4, "other"));
      case "restore" ->
          outcome(node.ipam.restore(address(args.get(0)), args.get(1), TestNode.DEFAULT));
      case "release" -> done(() -> args.forEach(each -> node.release(full(each))));
      case "releaseAll" -> String.valueOf(node.ipam.releaseAll(args.get(0)));
      case "cool" ->
          done(() -> node.ipam.cool(address(args.get(0)), TestNode.DEFAULT, duration(args.get(1))));
      case "exclude" -> done(() -> node.exclude(full(args.get(0)), args.get(1)));
      case "include" -> done(() -> node.include(full(args.get(0))));
      case "lease" ->
          done(() -> leases.put(args.get(0), node.lease(full(args.get(0)), duration(args.get(1)))));
      case "stopLease" ->
          node.ipam
              .stopLease(requireNonNull(leases.get(args.get(0))))
              .map(it -> denied(new Allocation.Denied(it)))
              .orElse("");
      case "timers" -> String.valueOf(node.time.pending());
      case "counts" -> counts(node.counts("ipv4"));
      case "counts6" -> counts(node.counts("ipv6"));
      case "dump" ->
          list(
              node.ipam.dump().ipv4().entrySet(),
              each -> shorter(each.getKey()) + ":" + each.getValue());
      case "unable" ->
          node.ipam.unable().map(it -> it.code().name() + ": " + it.detail()).orElse("no");
      case "events" -> String.valueOf(node.events(args.get(0), args.get(1)));
      case "denials" -> String.valueOf(node.denials(args.get(0), args.get(1)));
      case "reuses" -> node.reuses() + " in " + node.reuseTime().toSeconds() + "s";
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private static String[] blocks(List<String> words) {
    return words.stream().map(AgentStory::full).toArray(String[]::new);
  }

  private static IpAddress address(String word) {
    return IpAddress.parse(full(word));
  }

  private PoolSnapshot change(String block) {
    return node.ipam
        .change(IpFamily.IPV4, TestNode.DEFAULT, held -> TestNode.range(full(block)))
        .orElseThrow();
  }

  private Allocation allocation(String word, String owner) {
    return node.ipam.allocate(full(word), owner, TestNode.DEFAULT, UpstreamSync.NOW);
  }

  private Allocation next(IpFamily family, String owner) {
    return node.ipam.allocateNext(family, owner, TestNode.DEFAULT, UpstreamSync.NOW);
  }

  private String outcome(Allocation allocation) {
    return allocation instanceof Allocation.Granted granted
        ? shorter(granted.result().ip())
        : denied(allocation);
  }
}
