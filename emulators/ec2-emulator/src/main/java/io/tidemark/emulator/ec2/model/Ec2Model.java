package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.ServiceApi;
import io.tidemark.emulator.ec2.protocol.Xml;
import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.emulator.kit.pace.Faults;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole emulated EC2: maps a request and an instant to a reply. Deterministic: the same options
 * and the same calls at the same instants give the same replies. Not thread-safe; calls come in the
 * order of their instants, and a call with an earlier instant than the previous one counts as
 * simultaneous.
 *
 * <p>A request passes the throttle, the faults, its action's shape, the deny list and the client
 * tokens, then its action. A refused request leaves no trace; {@code DryRun} does everything, takes
 * it back and says {@code DryRunOperation}. The order of these steps over the one state is all that
 * this class is about, so it stands in one place; what the steps decide is their own classes'.
 */
public final class Ec2Model {
  private static final Ec2Error DRY_RUN =
      new Ec2Error("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412);

  /** Makes what sessions draw another sequence than all else. */
  private static final long SESSIONS = 0x5e55_1095L;

  private final Ec2ModelOptions options;
  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final SplittableRandom random;
  private final Hindrances hindrances;
  private final Sessions sessions;
  private final ActionCounts counts = new ActionCounts();
  private final Map<String, Region> regions = new HashMap<>();
  private final Set<String> settled = new HashSet<>();
  private Optional<Duration> readsBehind = Optional.empty();
  private Instant latest = Instant.MIN;

  public Ec2Model(Ec2ModelOptions options, Collection<Action> actions) {
    this.options = options;
    actions.forEach(action -> this.actions.put(action.name(), action));
    this.random = new SplittableRandom(options.seed());
    this.hindrances = new Hindrances(options, random.split());
    this.sessions = new Sessions(new SplittableRandom(options.seed() ^ SESSIONS));
  }

  /** The rules by which requests go wrong; they may be changed between calls. */
  public Faults<Ec2FaultRule> faults() {
    return hindrances.faults();
  }

  /** The denied actions; they can be changed between calls. */
  public Denials denials() {
    return hindrances.denials();
  }

  /** The temporary credentials that were given out. */
  public Sessions sessions() {
    return sessions;
  }

  /** The share of each bucket's refill that other programs use. */
  public double neighboursShare() {
    return hindrances.buckets().neighboursShare();
  }

  /** Lets other programs use this share, 0 to 1, from now on. */
  public void useNeighbours(double share, Instant now) {
    advance(now);
    hindrances.buckets().useNeighbours(share, latest);
  }

  /**
   * Lets other programs of the caller's account take from an action's bucket what it refills in
   * {@code seconds}.
   */
  public void neighboursTake(Caller caller, String action, double seconds, Instant now) {
    advance(now);
    hindrances.buckets().neighboursTake(caller.account(), caller.region(), action, seconds, latest);
  }

  /** Whether requests take tokens at all. */
  public boolean isThrottling() {
    return options.throttling();
  }

  /** An id for a request that is refused before it reaches an action. */
  public String newRequestId() {
    return Ids.requestId(sessions.random());
  }

  /** How often each action was called. */
  public ActionCounts counts() {
    return counts;
  }

  /** The region of this name, created on first use. */
  public Region region(String name) {
    return regions.computeIfAbsent(name, n -> new Region(n, options, random.split()));
  }

  /** The regions used so far, by name. */
  public List<Region> regions() {
    return regions.values().stream().sorted(Comparator.comparing(Region::name)).toList();
  }

  /** Runs all events due by now, for callers that read without a request. */
  public void pass(Instant now) {
    advance(now);
    for (Region region : regions.values()) {
      if (region.nextEvent().filter(due -> !due.isAfter(latest)).isPresent()) {
        region.begin(latest);
      }
    }
  }

  /** When something happens in this region by itself next, such as an instance starting to run. */
  public Optional<Instant> nextEvent(String region) {
    return region(region).nextEvent();
  }

  /**
   * Shares a subnet with these accounts alone, as its owner does in AWS Resource Access Manager.
   *
   * @throws IllegalArgumentException when the region has no such subnet
   */
  public void share(String region, String subnetId, Set<String> accounts, Instant now) {
    advance(now);
    Region place = region(region);
    place.begin(latest);
    Ec2Subnet subnet =
        place
            .subnets()
            .find(subnetId)
            .orElseThrow(() -> new IllegalArgumentException(region + " has no subnet " + subnetId));
    new Ec2Networks(place).share(subnet, accounts);
  }

  /**
   * The reply to this request at this instant. An invalid request is refused; a defect of the
   * emulator is thrown and changes nothing.
   */
  public Reply apply(Caller caller, QueryForm form, Instant now) {
    Reply reply = reply(caller, form, now, true);
    String name = form.value("Action");
    counts.count(actions.containsKey(name) ? name : ActionCounts.UNKNOWN, reply.result());
    return reply;
  }

  /**
   * The reply to a request to another service at this instant. It shares faults, latencies and
   * counts with EC2, and changes nothing if it is refused.
   *
   * @param throttled the error of the service in place of RequestLimitExceeded
   * @param service returns the result, or throws the refusal
   */
  public Reply applyBeside(
      String action, Ec2Error throttled, Instant now, Supplier<Answer> service) {
    advance(now);
    Optional<Ec2FaultRule> fault = hindrances.faults().next(action);
    Reply.Result result;
    try {
      if (fault.filter(rule -> rule.kind() == Ec2FaultRule.Kind.THROTTLE).isPresent()) {
        throw new Ec2Refusal(throttled);
      }
      fault.ifPresent(Hindrances::failBefore);
      result = new Reply.Answered(service.get());
    } catch (Ec2Refusal refusal) {
      result = new Reply.Refused(refusal.error());
    }
    counts.count(action, result);
    return new Reply(
        Ids.requestId(sessions.random()),
        result,
        latency(action, sessions.random()),
        latest,
        fault.map(Hindrances::delivery).orElse(Delivery.SENT));
  }

  /**
   * The same to make a world with, before it is used or from outside of it: no bucket, fault or
   * denial stops it, and it is not counted.
   */
  public Reply prepare(Caller caller, QueryForm form, Instant now) {
    return reply(caller, form, now, false);
  }

  private Reply reply(Caller caller, QueryForm form, Instant now, boolean hindered) {
    advance(now);
    Region region = region(caller.region());
    region.begin(latest);
    settle(region, caller.account());
    String name = form.value("Action");
    Optional<Ec2FaultRule> fault = Optional.empty();
    Reply.Result result;
    try {
      Action action = action(form, name);
      if (hindered) {
        hindrances.requireToken(caller, form, action, latest);
        fault = hindrances.faults().next(name);
        fault.ifPresent(Hindrances::failBefore);
      }
      result = new Reply.Answered(answer(caller, form, action, region, fault, hindered));
    } catch (Ec2Refusal refusal) {
      region.ledger().rollback();
      result = new Reply.Refused(refusal.error());
    } catch (RuntimeException defect) {
      region.ledger().rollback();
      throw defect;
    }
    return new Reply(
        region.newRequestId(),
        result,
        latency(name, region.random()),
        region.ledger().visibleAt(),
        fault.map(Hindrances::delivery).orElse(Delivery.SENT));
  }

  /** Gives an account that is new in a region its default VPC. */
  private void settle(Region region, String account) {
    if (settled.add(region.name() + ' ' + account)) {
      new Ec2Networks(region).createDefaults(account);
      region.begin(latest);
    }
  }

  private Action action(QueryForm form, String name) {
    if (name.isEmpty()) {
      throw Ec2Refusal.of("MissingAction", "The request must contain the parameter Action");
    }
    String version = form.value("Version");
    if (!version.equals(Xml.VERSION)) {
      throw Ec2Refusal.of(
          "NoSuchVersion",
          "The requested version (" + version + ") of service AmazonEC2 does not exist");
    }
    @Nullable Action action = actions.get(name);
    if (action == null) {
      throw ServiceApi.withoutAction(name);
    }
    return action;
  }

  private Answer answer(
      Caller caller,
      QueryForm form,
      Action action,
      Region region,
      Optional<Ec2FaultRule> fault,
      boolean hindered) {
    Parameters parameters = action.shape().read(form);
    if (hindered) {
      hindrances.requirePermission(caller, action);
    }
    Optional<String> token = parameters.text("ClientToken").filter(text -> !text.isEmpty());
    String fingerprint = parameters.fingerprintWithout("ClientToken", "DryRun");
    if (token.isPresent()) {
      Optional<Answer> earlier =
          region.tokens().earlier(caller, action.name(), token.get(), fingerprint);
      if (earlier.isPresent()) {
        return earlier.get();
      }
    }
    if (hindered) {
      hindrances.requireResources(caller, action, parameters, latest);
    }
    boolean partial = fault.filter(f -> f.kind() == Ec2FaultRule.Kind.PARTIAL).isPresent();
    Duration lag =
        readsBehind.orElseGet(
            () -> options.delay(Ec2ModelOptions.Delay.READ_LAG).draw(region.random()));
    Answer answer = action.answer(new Call(caller, parameters, region, latest.minus(lag), partial));
    if (parameters.isSet("DryRun")) {
      throw new Ec2Refusal(DRY_RUN);
    }
    token.ifPresent(
        text -> region.tokens().remember(caller, action.name(), text, fingerprint, answer, latest));
    return answer;
  }

  /**
   * Sets how far every read lags from now on, at most by the lag in the options; empty to draw it
   * for each read.
   */
  public void readsBehind(Optional<Duration> behind) {
    Duration most = options.delay(Ec2ModelOptions.Delay.READ_LAG).most();
    if (behind.isPresent() && behind.get().compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "reads behind " + behind.get() + "; expected at most the read lag " + most);
    }
    readsBehind = behind;
  }

  private void advance(Instant now) {
    latest = now.isAfter(latest) ? now : latest;
  }

  private Duration latency(String action, SplittableRandom random) {
    return options.latency(action).draw(random);
  }
}
