package io.tidemark.datastore.cloud;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.testing.Story;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A test of a node and its cloud in words, as "node 1 0; start; 1s; add a = 4; others remove 4":
 * the node wants one free address and no minimum. A number of an interface is that of its name.
 */
final class LoopStory extends Story {
  private TestLoop node = TestLoop.addresses(1, 0);
  private List<CloudEni> remembered = List.of();
  private int marked;
  private int changes;

  private LoopStory() {}

  /** Runs it to its end. */
  static void run(String story) {
    new LoopStory().tell(story);
  }

  @Override
  protected void pass(Duration duration) {
    node.pass(duration);
  }

  @Override
  protected String answer(String verb, List<String> args) {
    return switch (verb) {
      case "node" -> begin(CidrKind.SECONDARY, args);
      case "blocks" -> begin(CidrKind.PREFIX, args);
      case "two" -> begin(TestLoop.twoEnis());
      case "ipv6" -> {
        node.family = IpFamily.IPV6;
        yield begin(node.restarted());
      }
      case "start" -> begin(node.started());
      case "restart" -> begin(node.restarted().started());
      case "add" -> list(args, pod -> shorter(node.add(pod)));
      case "del" -> done(() -> args.forEach(node::del));
      case "ends" -> {
        StoreReleaseOutcome del = node.ended(node.store.release(TestLoop.key(args.get(0))));
        yield ((StoreReleaseOutcome.Unknown) del)
            .lost()
            .map(had -> "lost " + shorter(had.cidr()))
            .orElse("unknown");
      }
      case "exclude" -> String.valueOf(node.store.exclude("eni-" + args.get(0), true).isEmpty());
      case "nextRead" -> done(node::nextRead);
      case "prepared" -> done(node.loop::prepared);
      case "readsAgain" -> {
        int reads = node.calls("read").size();
        node.loop.prepared();
        node.pass(TestLoop.SECOND);
        assertThat(node.calls("read")).hasSize(reads + 1);
        yield "";
      }
      case "maxPods" -> done(() -> node.maxPods = Integer.parseInt(args.get(0)));
      case "limits" -> done(() -> node.limitsKnown = either(args, "known", "unknown"));
      case "others" -> others(args.get(0), args.subList(1, args.size()));
      case "gives6" ->
          node.cloud
              .assign(FakeCloud.PRIMARY, IpFamily.IPV6, CidrKind.PREFIX, 1)
              .getClass()
              .getSimpleName();
      case "room" -> done(() -> node.cloud.subnetRoom = Integer.parseInt(args.get(0)));
      case "mark" ->
          done(
              () -> {
                marked = node.client.calls.size();
                changes = node.cloud.changes.size();
              });
      default -> faults(verb, args);
    };
  }

  /**
   * Such as "node 0 4 2x3": targets, then addresses an interface and interfaces, or ten and four.
   */
  private String begin(CidrKind mode, List<String> args) {
    String[] limits = (args.size() > 2 ? args.get(2) : "10x4").split("x", 2);
    return begin(
        new TestLoop(
            mode,
            TestLoop.targets(Integer.parseInt(args.get(0)), Integer.parseInt(args.get(1))),
            Integer.parseInt(limits[0]),
            Integer.parseInt(limits[1])));
  }

  private String begin(TestLoop made) {
    node = made;
    return "";
  }

  /** Another program of the account. */
  private String others(String verb, List<String> args) {
    return switch (verb) {
      case "add" ->
          list(
              node.cloud.addByOthers(
                  "eni-" + args.get(0), CidrKind.SECONDARY, Integer.parseInt(args.get(1))),
              Story::shorter);
      case "remove" ->
          done(() -> args.forEach(each -> node.cloud.removeByOthers(holder(each), cidr(each))));
      case "attach" -> node.cloud.attachByOthers(either(args, "", "unmanaged"));
      case "detach" -> done(() -> node.cloud.detachByOthers("eni-" + args.get(0)));
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private static boolean either(List<String> args, String yes, String no) {
    assertThat(String.join(" ", args)).isIn(yes, no);
    return String.join(" ", args).equals(yes);
  }

  private static Cidr cidr(String word) {
    return Cidr.single(IpAddress.parse(full(word)));
  }

  private String holder(String word) {
    return node.cloud.now().stream()
        .filter(eni -> eni.cidrs().stream().anyMatch(each -> each.cidr().equals(cidr(word))))
        .findFirst()
        .orElseThrow()
        .spec()
        .id();
  }

  private String faults(String verb, List<String> args) {
    return switch (verb) {
      case "lose" ->
          done(
              () ->
                  node.fate(
                      args.get(0),
                      either(args.subList(1, 2), "request", "answer")
                          ? EffectFate.requestLost()
                          : EffectFate.answerLost(duration(args.get(2)))));
      case "slow" ->
          done(
              () ->
                  node.fate(
                      args.get(0),
                      EffectFate.answered(duration(args.get(1)), duration(args.get(2)))));
      case "refuse" ->
          done(
              () ->
                  node.refusals.addAll(
                      Collections.nCopies(
                          args.size() > 1 ? Integer.parseInt(args.get(1)) : 1,
                          Reason.valueOf(args.get(0)))));
      case "refuseNothing" -> done(node.refusals::clear);
      case "reads" -> done(() -> node.readsFail = either(args, "fail", ""));
      case "remember" -> done(() -> remembered = node.cloud.now());
      case "lags" -> done(() -> node.shown = enis -> node.cloud.before(duration(args.get(0))));
      case "shows" ->
          done(
              () ->
                  node.shown =
                      switch (args.get(0)) {
                        case "all" -> enis -> enis;
                        case "none" -> enis -> List.of();
                        case "remembered" -> enis -> remembered;
                        default -> throw new IllegalArgumentException(args.get(0));
                      });
      case "hides" -> done(() -> node.shown = enis -> without(enis, cidr(args.get(0))));
      case "hidesEni" ->
          done(
              () ->
                  node.shown =
                      enis ->
                          enis.stream()
                              .filter(eni -> !eni.spec().id().equals("eni-" + args.get(0)))
                              .toList());
      default -> shown(verb, args);
    };
  }

  private static List<CloudEni> without(List<CloudEni> enis, Cidr cidr) {
    return enis.stream()
        .map(
            eni ->
                new CloudEni(
                    eni.spec(),
                    eni.card(),
                    eni.mac(),
                    eni.managed(),
                    eni.cidrs().stream().filter(each -> !each.cidr().equals(cidr)).toList()))
        .toList();
  }

  private String shown(String verb, List<String> args) {
    return switch (verb) {
      case "store" -> cidrs(node.inStore());
      case "cloud" -> cidrs(node.cloud.cidrs());
      case "asInCloud" -> {
        assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
        yield String.valueOf(node.inStore().size());
      }
      case "allInCloud" -> String.valueOf(node.cloud.cidrs().containsAll(node.inStore()));
      case "size" -> String.valueOf(node.inStore().size());
      case "has" -> String.valueOf(node.inStore().contains(cidr(args.get(0))));
      case "returning" ->
          cidrs(
              node.view().enis().stream()
                  .flatMap(eni -> eni.cidrs().stream())
                  .filter(CidrView::returning)
                  .map(CidrView::cidr)
                  .toList());
      case "enis" -> list(node.view().enis(), LoopStory::eni);
      case "cloudEnis" -> list(node.cloud.now(), eni -> eni.spec().id().substring(4));
      case "pods" ->
          list(
              node.store.assigned(),
              each ->
                  each.entry().key().containerId()
                      + ":"
                      + shorter(each.assignment().address())
                      + "@"
                      + each.assignment().eniId().substring(4));
      case "orphans" -> list(node.store.orphans(), each -> each.entry().key().containerId());
      case "file" -> list(node.inFile().allocations(), each -> each.key().containerId());
      case "forced" -> String.valueOf(node.store.counters().forceRemovedAddresses());
      case "hasRead" -> String.valueOf(node.loop.hasReadCloud());
      case "canGrow" ->
          node.loop.status().map(it -> String.valueOf(it.canGrow())).orElse("unknown");
      case "problem" -> node.loop.status().orElseThrow().problem().orElse("none");
      case "changed" -> String.valueOf(node.cloud.changes.size() > changes);
      case "calls" -> {
        List<String> calls = args.isEmpty() ? node.client.calls : node.calls(args.get(0));
        long count = args.size() > 1 ? Long.parseLong(args.get(1)) : Long.MAX_VALUE;
        yield calls.isEmpty() ? "none" : calls.stream().limit(count).collect(joining(", "));
      }
      case "count" -> String.valueOf(node.calls(args.get(0)).size());
      case "between" -> {
        Stream<String> since = node.client.calls.stream().skip(marked);
        assertThat(since.filter(call -> call.startsWith(args.get(0))).count())
            .isBetween(Long.parseLong(args.get(1)), Long.parseLong(args.get(2)));
        yield "";
      }
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private static String cidrs(Collection<Cidr> cidrs) {
    return list(cidrs.stream().sorted(comparing(Cidr::first)).toList(), Story::shorter);
  }

  /** Such as "1#2:5/3": interface, device when it is another number, addresses and used ones. */
  private static String eni(EniView eni) {
    String id = eni.spec().id().substring(4);
    String device = String.valueOf(eni.spec().deviceNumber());
    return id
        + (id.equals(device) ? "" : "#" + device)
        + (":" + eni.cidrs().size() + "/" + eni.inUse())
        + (eni.draining() ? " draining" : "");
  }
}
