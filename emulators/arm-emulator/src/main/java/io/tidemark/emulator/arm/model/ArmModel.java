package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access;
import io.tidemark.emulator.arm.gate.LinkedActions;
import io.tidemark.emulator.arm.gate.RequestRules;
import io.tidemark.emulator.arm.gate.Throttle;
import io.tidemark.emulator.arm.gate.Tokens;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.emulator.kit.pace.Faults;
import io.tidemark.emulator.kit.time.Agenda;
import io.tidemark.emulator.kit.time.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The whole emulated Azure: maps a request and an instant to a response. Deterministic: the same
 * options and the same calls at the same instants give the same responses. Not thread-safe; calls
 * come in the order of their instants.
 *
 * <p>A request passes the faults, its token, the throttle, the version of the API, the roles and
 * the locks, then its operation. A refused request changes nothing.
 */
public final class ArmModel {
  private final ModelOptions options;
  private final SplittableRandom random;
  private final Ledger ledger = new Ledger();
  private final Agenda agenda = new Agenda(ledger);
  private final World world;
  private final Operations operations;
  private final InstanceWrites instanceWrites;
  private final Dispatch dispatch;
  private final Throttle throttle;
  private final Access access = new Access();
  private final Tokens tokens;
  private final AuditLog audit = new AuditLog();
  private final Faults<ArmFault> faults;
  private Instant latest = Instant.MIN;

  public ArmModel(ModelOptions options) {
    this.options = options;
    this.random = new SplittableRandom(options.seed());
    this.world = new World(options, random.split());
    this.operations = new Operations(options, agenda, world, random.split());
    this.instanceWrites = new InstanceWrites(world, operations);
    this.dispatch = new Dispatch(world, operations, instanceWrites, access, options);
    this.throttle = new Throttle(options.throttling());
    this.tokens = new Tokens(random.split());
    this.faults = new Faults<>(random.split());
  }

  /** The rules by which requests go wrong; they may be changed between calls. */
  public Faults<ArmFault> faults() {
    return faults;
  }

  /** Roles and locks; they may be changed between calls. */
  public Access access() {
    return access;
  }

  /** The requests that were sent. */
  public AuditLog audit() {
    return audit;
  }

  /** The whole state, for people: subnets, machines and interfaces. */
  public Document state() {
    return world.state();
  }

  /**
   * Sets how far every list of a set's interfaces lags from now on, at most by the lag in the
   * options; empty to draw it for each change.
   */
  public void listsBehind(Optional<Duration> behind) {
    Duration most = options.listLag().most();
    if (behind.isPresent() && behind.get().compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "lists behind " + behind.get() + "; expected at most the list lag " + most);
    }
    world.setListsBehind(behind);
  }

  /** The resources, to be changed at this instant. */
  public Resources resources(Instant now) {
    pass(now);
    return new Resources(world, instanceWrites, operations, options, agenda, latest);
  }

  /** The true state at this instant. */
  public ArmInventory inventory(Instant now) {
    pass(now);
    return new ArmInventory(world, latest);
  }

  /**
   * Other clients of this principal use what Resource Manager gives it in so many seconds of
   * refill.
   */
  public void neighboursTake(String principal, double seconds, Instant now) {
    pass(now);
    throttle.neighboursTake(principal, seconds, latest);
  }

  /** An access token of this principal, and how long it is valid. */
  public String giveToken(String principal, Instant now) {
    pass(now);
    return tokens.give(principal, options.tokenLife(), latest);
  }

  /** How long an access token is valid. */
  public Duration tokenLife() {
    return options.tokenLife();
  }

  /** Ends every access token. */
  public void revokeTokens() {
    tokens.revoke();
  }

  /** When something happens by itself next. */
  public Optional<Instant> nextEvent() {
    return agenda.nextDue();
  }

  /** Lets everything happen that is due by now. */
  public void pass(Instant now) {
    latest = now.isAfter(latest) ? now : latest;
    ledger.begin(latest, latest, latest);
    for (Optional<Agenda.Entry> due = agenda.takeDue(latest);
        due.isPresent();
        due = agenda.takeDue(latest)) {
      due.get().event().run();
    }
  }

  /** The response to this request at this instant, also to an invalid one. */
  public ArmReply apply(ArmRequest request, Instant now) {
    pass(now);
    Optional<ArmId> path = ArmId.parse(request.path());
    Optional<Operation> operation = path.flatMap(at -> Operation.of(request.method(), at));
    String title = operation.map(Operation::title).orElse("");
    Optional<ArmFault> fault = faults.next(title + " " + request.path().toLowerCase(Locale.ROOT));
    String principal = "";
    ArmReply reply;
    String code = "";
    Map<String, String> headers = new TreeMap<>();
    try {
      fault.ifPresent(ArmModel::failBefore);
      principal = tokens.principal(request.authorization(), latest);
      reply = answer(request, path, operation, principal, fault, headers);
    } catch (Refusal refusal) {
      reply = ArmReply.of(refusal.error());
      code = refusal.error().code();
      if (reply.status() == 401) {
        headers.put("WWW-Authenticate", challenge(request.origin(), refusal.error()));
      }
    }
    audit.add(new AuditLog.Entry(latest, principal, title, request.path(), reply.status(), code));
    headers.put("x-ms-request-id", world.newUuid());
    return delivered(reply.withAll(headers), fault);
  }

  /** Where to get a token, and why the one that was sent is refused (RFC 6750). */
  private static String challenge(String origin, ArmError error) {
    return "Bearer authorization_uri=\""
        + origin
        + "/organizations\", error=\"invalid_token\", error_description=\""
        + error.message().replace('"', '\'')
        + "\"";
  }

  private static void failBefore(ArmFault fault) {
    if (fault.kind() == ArmFault.Kind.FAIL) {
      throw new Refusal(fault.error());
    }
    if (fault.kind() == ArmFault.Kind.LOSE_REQUEST) {
      throw new Refusal(ArmError.of(500, "ConnectionLost", "The connection breaks."));
    }
  }

  private ArmReply delivered(ArmReply reply, Optional<ArmFault> fault) {
    Duration latency = options.latency().draw(random);
    if (fault.isEmpty()) {
      return reply.delivered(latency, Delivery.SENT);
    }
    return switch (fault.get().kind()) {
      case LOSE_ANSWER, LOSE_REQUEST -> reply.delivered(latency, Delivery.LOST);
      case HANG -> reply.delivered(latency, Delivery.NEVER);
      case HTML ->
          ArmReply.ofText(200, "<html><body>Gateway</body></html>")
              .with("Content-Type", "text/html")
              .delivered(latency, Delivery.SENT);
      case TRUNCATE -> reply.truncated().delivered(latency, Delivery.SENT);
      case FAIL, FAIL_OPERATION, CANCEL_OPERATION -> reply.delivered(latency, Delivery.SENT);
    };
  }

  private ArmReply answer(
      ArmRequest request,
      Optional<ArmId> at,
      Optional<Operation> known,
      String principal,
      Optional<ArmFault> fault,
      Map<String, String> headers) {
    if (at.isEmpty() || known.isEmpty()) {
      throw Refusal.of(
          501, // no client takes it for the absence of a resource, and none repeats the request
          "NotImplemented",
          "The emulator does not serve %s of %s.",
          request.method(),
          request.path());
    }
    ArmId path = at.get();
    Operation operation = known.get();
    boolean poll =
        operation == Operation.OPERATIONS_GET || operation == Operation.OPERATION_RESULTS_GET;
    throttle.take(
        operation,
        path,
        poll ? operations.machineOf(path) : path,
        request.isWrite(),
        principal,
        latest,
        headers);
    RequestRules.require(operation, request);
    authorize(operation, request, path, principal);
    RequestRules.requireAbsent(request, world.has(path));
    Optional<ArmFault> end =
        fault.filter(
            each ->
                each.kind() == ArmFault.Kind.FAIL_OPERATION
                    || each.kind() == ArmFault.Kind.CANCEL_OPERATION);
    return dispatch.answer(operation, request, path, principal, end, latest);
  }

  private void authorize(Operation operation, ArmRequest request, ArmId path, String principal) {
    if (operation == Operation.PERMISSIONS_LIST) {
      return;
    }
    String action =
        operation.action().replaceFirst("^\\*", path.name("providers").orElse("Microsoft.Compute"));
    access.require(principal, action, path);
    if (request.isWrite()) {
      LinkedActions.of(request.body())
          .forEach((linked, what) -> access.requireLinked(principal, what, path, linked));
      access.requireUnlocked(path, request.method().equals("DELETE") ? "delete" : "write");
    }
  }
}
