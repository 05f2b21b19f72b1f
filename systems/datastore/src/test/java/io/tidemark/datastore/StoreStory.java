package io.tidemark.datastore;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.DataStore.Assigned;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.testing.Story;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A test of one store in words, as "addresses; eni 1 7; get a = 7; del a; get b = ALL_COOLING". An
 * entry is "a:7@8", of pod, address and nanosecond, where "~a" is a pod of the container runtime
 * and "a/ns/name" names it otherwise; "a:7()" lacks the metadata.
 */
final class StoreStory extends Story {
  private static final RecoveryRules RULES = RecoveryRules.of(IpFamily.IPV4).withBoot("boot-1");

  private static final Predicate<String> RULE =
      Pattern.compile("(family|boot|age|grace|alive|record)=.*").asMatchPredicate();

  private final Map<CheckpointEntry, String> words = new HashMap<>();
  private TestStore node = TestStore.addresses();
  private ReturnTicket ticket = node.store.reserveExcluded();
  private CheckpointData data = CheckpointData.EMPTY;
  private final Map<String, Assignment> had = new HashMap<>();
  private int written;

  /** Runs it to its end. */
  static void run(String story) {
    new StoreStory().tell(story);
  }

  @Override
  protected void pass(Duration duration) {
    node.pass(duration);
  }

  @Override
  protected String answer(String verb, List<String> args) {
    return switch (verb) {
      case "addresses" -> begin(CidrKind.SECONDARY, args, true);
      case "prefixes" -> begin(CidrKind.PREFIX, args, true);
      case "unread" -> begin(CidrKind.valueOf(args.get(0)), args.subList(1, args.size()), false);
      case "period" -> done(() -> node.cooldown = rule(args));
      case "cooled" -> done(node::passCooldown);
      case "full" -> done(() -> node.store.growable(false));
      case "growable" -> done(() -> node.store.growable(true));
      case "fails" -> done(() -> node.files.fault(node.files.changes().size(), Fault.FAILS, 0));
      case "eni" -> with(args, false, false);
      case "trunk" -> with(args, true, false);
      case "efa" -> with(args, false, true);
      case "add" -> refusal(node.add("eni-" + args.get(0), full(args.get(1))));
      case "remove" -> refusal(remove(args, Removal.UNUSED_ONLY));
      case "force" -> refusal(remove(args, Removal.FORCED));
      case "removeEni" -> refusal(node.store.removeEni("eni-" + args.get(0), Removal.UNUSED_ONLY));
      case "forceEni" -> refusal(node.store.removeEni("eni-" + args.get(0), Removal.FORCED));
      case "exclude" -> refusal(node.store.exclude("eni-" + args.get(0), true));
      case "include" -> refusal(node.store.exclude("eni-" + args.get(0), false));
      case "get" -> list(args, pod -> got(pod, node.assigning(pod)));
      case "any" ->
          args.stream().map(pod -> got(pod, node.assigning(pod))).sorted().collect(joining(" "));
      case "get6" -> list(args, pod -> got(pod, node.assigning6(pod)));
      case "del" -> list(args, pod -> released(pod, node.releasing(pod)));
      case "reads" -> recovered(given(args), rules(args.stream().filter(RULE).toList()));
      case "crash" -> crash();
      case "rereads" -> recovered(data, rules(args));
      case "restart" ->
          crash()
              + with(Stream.concat(Stream.of("1"), args.stream()).toList(), false, false)
              + recovered(data, RULES);
      case "detached" ->
          "" + node.store.confirmDetached(args.stream().map(StoreStory::address).toList());
      case "back" -> ticket(returning(args.get(0), Integer.parseInt(args.get(1))));
      case "backEni" -> ticket(node.store.reserveEni("eni-" + args.get(0)));
      case "backExcluded" -> ticket(node.store.reserveExcluded());
      case "commit" ->
          done(
              () ->
                  ticket.commit(
                      ticket.parts().stream()
                          .filter(part -> args.isEmpty() || args.contains(part(part)))
                          .toList()));
      case "rollback" -> done(ticket::rollback);
      case "note" -> "" + node.ended(ticket.note());
      default -> shown(verb, args);
    };
  }

  private String shown(String verb, List<String> args) {
    return switch (verb) {
      case "removable" -> {
        ReturnTicket asked = node.store.reserveEni("eni-" + args.get(0));
        asked.rollback();
        yield "" + !asked.parts().isEmpty();
      }
      case "returnable" -> {
        ReturnTicket asked = returning(args.get(0), 100);
        asked.rollback();
        yield list(asked.parts(), part -> shorter(part.cidr().orElseThrow()));
      }
      case "health" -> node.store.unhealthy().orElse("good");
      case "assigned" -> entries(node.store.assigned().stream().map(Assigned::entry).toList());
      case "orphaned" ->
          shorter(
              node.store
                  .orphaned(TestStore.key(args.get(0)), IpFamily.IPV4)
                  .orElseThrow()
                  .address());
      case "orphans" -> entries(node.store.orphans().stream().map(Orphan::entry).toList());
      case "places" ->
          list(
              node.store.assigned(),
              each -> shorter(each.assignment().address()) + " on " + each.assignment().eniId());
      case "file" -> entries(node.inFile().allocations());
      case "fileOrphans" -> entries(extension().orphans());
      case "fileCools" -> list(extension().cooldown(), each -> shorter(each.ip()));
      case "enis" ->
          list(
              node.store.view().enis(),
              eni -> eni.spec().id().substring(4) + (eni.excluded() ? " excluded" : ""));
      case "cidrs" ->
          list(
              node.store.view().enis(),
              eni -> list(eni.cidrs(), each -> shorter(each.cidr()) + " " + each.kind()));
      case "total" -> "" + node.total();
      case "stats" -> stats(node.stats());
      case "stats6" -> stats(node.store.view().stats(IpFamily.IPV6));
      case "unrecorded" -> "" + node.store.observe().unrecorded();
      case "counters" -> {
        StoreCounters now = node.store.counters();
        yield slashed(
            now.noAddress(), now.forceRemovedEnis(), now.forceRemovedAddresses(), now.cutShort());
      }
      case "writes" -> {
        int before = written;
        written = node.files.changes().size();
        yield "" + (written > before);
      }
      default -> throw new IllegalArgumentException(verb);
    };
  }

  // ---- words

  private static IpAddress address(String word) {
    return IpAddress.parse(full(word));
  }

  private CheckpointEntry entry(String word) {
    int at = word.indexOf('@');
    String[] parts = word.substring(0, at).split(":", 2);
    String[] named = (parts[0] + "/default/sample-pod").split("/", -1);
    boolean runtime = named[0].startsWith("~");
    CheckpointEntry made =
        CheckpointEntry.of(
            runtime ? IpamKey.migrated(named[0].substring(1)) : TestStore.key(named[0]),
            address(parts[1]),
            Long.parseLong(word.substring(at + 1)),
            runtime ? IpamMetadata.NONE : new IpamMetadata(named[1], named[2], 1));
    words.put(made, word);
    return made;
  }

  /** An entry that was given, as it was given; one of the store is the same at each mention. */
  private String entries(List<CheckpointEntry> all) {
    for (CheckpointEntry each : all) {
      String word =
          each.key().containerId() + ":" + shorter(each.ipv4().or(each::ipv6).orElseThrow());
      if (!words.containsKey(each)) {
        assertThat(words).as("one more %s", each).doesNotContainValue(word);
        assertThat(each.key()).isEqualTo(TestStore.key(each.key().containerId()));
        words.put(each, each.metadata().equals(TestStore.POD) ? word : word + "()");
      }
    }
    return list(all, each -> String.valueOf(words.get(each)));
  }

  // ---- the store

  private static CooldownRule rule(List<String> seconds) {
    Duration period = duration(seconds.get(0));
    return new CooldownRule(period, seconds.size() > 1 ? duration(seconds.get(1)) : period);
  }

  private String begin(CidrKind kind, List<String> seconds, boolean read) {
    CooldownRule rule = seconds.isEmpty() ? CooldownRule.DEFAULT : rule(seconds);
    node = new TestStore(kind, rule, new VirtualTime(0), new CrashingFiles());
    words.clear();
    written = 0;
    if (read) {
      node.recover(CheckpointData.EMPTY);
    }
    return "";
  }

  private String with(List<String> args, boolean trunk, boolean efa) {
    int device = Integer.parseInt(args.get(0));
    node.with(
        new StoreEniSpec(
            "eni-" + device,
            device,
            device == 0,
            trunk,
            efa,
            StoreEniSpec.routeTable(0, device),
            "subnet-1"),
        args.stream().skip(1).map(StoreStory::full).toArray(String[]::new));
    return "";
  }

  private String crash() {
    data = node.inFile();
    node.restarted();
    return "";
  }

  private Optional<StoreRefusal> remove(List<String> args, Removal removal) {
    return node.remove("eni-" + args.get(0), full(args.get(1)), removal);
  }

  private String refusal(Optional<StoreRefusal> refusal) {
    failed = refusal.isPresent();
    return refusal.map(StoreRefusal::text).orElse("");
  }

  private String got(String pod, AssignOutcome outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      had.put(pod, granted.assignment());
      return shorter(granted.assignment().address())
          + granted.cutShortAfter().map(after -> " cut short at " + after.toSeconds()).orElse("");
    }
    failed = true;
    return outcome instanceof AssignOutcome.NoAddress none
        ? none.reason().name()
        : TestStore.refusal(outcome).code().toString();
  }

  private String released(String pod, StoreReleaseOutcome outcome) {
    if (outcome instanceof StoreReleaseOutcome.Released released) {
      Assignment last = had.remove(pod);
      assertThat(released.assignments()).matches(all -> last == null || all.contains(last));
      return released.assignments().stream()
          .map(each -> shorter(each.address()))
          .sorted()
          .collect(joining("+"));
    }
    failed = true;
    return outcome instanceof StoreReleaseOutcome.Unknown unknown
        ? "unknown" + unknown.lost().map(had -> " lost " + shorter(had.address())).orElse("")
        : TestStore.refusal(outcome).code().toString();
  }

  private Extension extension() {
    return node.inFile().extension().orElseThrow();
  }

  private static String stats(DatastoreStats it) {
    return slashed(it.total(), it.prefixes(), it.assigned(), it.cooling());
  }

  private static String slashed(long... numbers) {
    return LongStream.of(numbers).mapToObj(Long::toString).collect(joining("/"));
  }

  private static String part(CloudPart part) {
    return part.eniId().substring(4) + part.cidr().map(each -> ":" + shorter(each)).orElse("");
  }

  private ReturnTicket returning(String family, int count) {
    IpFamily of = family.equals("6") ? IpFamily.IPV6 : IpFamily.IPV4;
    return node.store.reserveForReturn(of, node.mode, count);
  }

  /** One without parts is forgotten. */
  private String ticket(ReturnTicket made) {
    ticket = made.parts().isEmpty() ? ticket : made;
    return list(made.parts(), StoreStory::part);
  }

  // ---- recovery: "written=boot-0 cooled=7@10s lost=a:7@7 a:8@7" is a file

  private CheckpointData given(List<String> args) {
    List<CheckpointEntry> all = new ArrayList<>();
    List<Released> cooled = new ArrayList<>();
    List<CheckpointEntry> lost = new ArrayList<>();
    Optional<String> boot = Optional.empty();
    for (String arg : args.stream().filter(RULE.negate()).toList()) {
      String[] option = arg.split("=", 2);
      switch (option[0]) {
        case "written" -> boot = Optional.of(option[1]);
        case "lost" -> lost.add(entry(option[1]));
        case "cooled" -> {
          String[] stamp = option[1].split("@", 2);
          long nanos = node.time.epochMillis() * 1_000_000 + duration(stamp[1]).toNanos();
          cooled.add(new Released(address(stamp[0]), nanos));
        }
        default -> {
          assertThat(option).as(arg).hasSize(1);
          all.add(entry(arg));
        }
      }
    }
    return new CheckpointData(all, boot.map(it -> new Extension(it, 1, cooled, lost)), "");
  }

  private static RecoveryRules rules(List<String> args) {
    RecoveryRules rules = RULES;
    for (String arg : args) {
      String[] option = arg.split("=", 2);
      rules =
          switch (option[0]) {
            case "family" -> RecoveryRules.of(IpFamily.IPV6).withBoot("boot-1");
            case "boot" -> rules.withBoot(option[1]);
            case "age" -> rules.withBootAge(duration(option[1]));
            case "grace" -> rules.withGrace(duration(option[1]));
            case "alive" -> rules.withAlive(each -> isAlive(option[1]));
            case "record" ->
                rules.coolingUnnoted(
                    option[1].equals("absent")
                        ? new Read.Absent(Optional.empty())
                        : new Read.Current(CheckpointData.EMPTY));
            default -> throw new IllegalArgumentException(arg);
          };
    }
    return rules;
  }

  private static boolean isAlive(String answer) {
    if (answer.equals("unknown")) {
      throw new IllegalStateException("no list of interfaces");
    }
    return !answer.equals("none");
  }

  /** Only what is not zero. */
  private String recovered(CheckpointData file, RecoveryRules rules) {
    RecoveryReport it = node.recover(file, rules);
    String all =
        Stream.of(
                it.restored() + " restored",
                it.orphans() + " orphans",
                it.duplicates() + " duplicates",
                it.cooling() + " cooling",
                it.stale().isEmpty() ? "0" : "stale " + entries(it.stale()),
                it.rebooted() ? "rebooted" : "0",
                it.livenessUnknown() ? "sandboxes unknown" : "0")
            .filter(each -> !each.startsWith("0"))
            .collect(joining(", "));
    return all.isEmpty() ? "none" : all;
  }
}
