package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.LoggerFactory;

/**
 * The service account of a folder of {@code deploy} with its roles bound in a real API server, what
 * the folder's program does with its lease and Events, and what the module's parts say when a right
 * is missing. Not thread-safe.
 */
final class Rights implements AutoCloseable {
  private static final LeaseTiming QUICK =
      new LeaseTiming(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(200));

  final ClusterConnection admin;

  /** As the program connects. */
  final ClusterConnection account;

  final ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("rights", SystemTime.instance());
  final PooledEffectRunner effects = new PooledEffectRunner("rights", 4, 64, scheduler);
  private final Manifests manifests;
  private final ApiServer server;
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.tidemark.kubernetes");
  private int names;

  /** One right: a verb of one resource, in a rule of a role. */
  record Right(Manifest role, int rule, String resource, String verb) {
    @Override
    public String toString() {
      return verb + ' ' + resource;
    }
  }

  /** Does everything with objects of one resource, and answers what did not work. */
  interface Use {
    void of(List<String> complaints) throws Exception;
  }

  /** The folder is for a kubeconfig. */
  Rights(Manifests manifests, Path folder) throws IOException {
    this.manifests = manifests;
    server = ApiServer.start();
    admin = server.connect(User.ADMIN);
    for (Manifest each : manifests.all()) {
      if (each.file().matches(".*(namespace|role|account).*")) {
        each.create(admin.client());
      }
    }
    account = ClusterConnection.open(access(folder, token()));
    log.start();
    logger.addAppender(log);
  }

  /** The account's token, of no Pod. */
  String token() {
    return admin
        .client()
        .serviceAccounts()
        .inNamespace(Manifests.NAMESPACE)
        .withName(manifests.account())
        .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
        .getStatus()
        .getToken();
  }

  /** Connects with a token, as a program does. */
  ClusterAccess access(Path folder, String token) throws IOException {
    String text = Files.readString(server.kubeconfig(User.ADMIN));
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            text.replaceAll("token: [^}]*}", "token: " + token + '}'));
    return new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), Duration.ofSeconds(10));
  }

  /** A number that was not given out before. */
  int next() {
    return ++names;
  }

  /**
   * Makes an object as the administrator.
   *
   * @param metadata and {@code spec} are the members of their objects
   */
  void make(String path, String kind, String metadata, String spec) {
    String object = "{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"metadata\":{%s},\"spec\":{%s}}";
    admin.client().raw(path, "POST", object.formatted(kind, metadata, spec));
  }

  /** Every right that the roles give. */
  static List<Right> all(Manifests manifests) throws IOException {
    List<Right> rights = new ArrayList<>();
    for (Manifest each : manifests.all()) {
      List<PolicyRule> rules = rules(each.typed());
      for (int rule = 0; rule < rules.size(); rule++) {
        for (String resource : rules.get(rule).getResources()) {
          for (String verb : rules.get(rule).getVerbs()) {
            rights.add(new Right(each, rule, resource, verb));
          }
        }
      }
    }
    return rights;
  }

  /** The rules of a role, none of anything else. */
  static List<PolicyRule> rules(HasMetadata object) {
    if (object instanceof ClusterRole role) {
      return role.getRules();
    }
    return object instanceof Role role ? role.getRules() : List.of();
  }

  /** Takes one right away; blocks until the server acts on it. */
  void take(Right right) {
    HasMetadata role = right.role().typed();
    PolicyRule rule = rules(role).get(right.rule());
    rule.getVerbs().remove(right.verb());
    if (rule.getVerbs().isEmpty()) {
      rules(role).remove(right.rule());
    }
    put(right.role(), role);
    Eventually.holds("no right to " + right, () -> !isAllowed(right));
  }

  /** Gives it back. */
  void give(Right right) {
    put(right.role(), right.role().typed());
    Eventually.holds("the right to " + right, () -> isAllowed(right));
  }

  private void put(Manifest manifest, HasMetadata role) {
    admin.client().raw(manifest.path() + '/' + manifest.name(), "PUT", role);
  }

  private boolean isAllowed(Right right) {
    HasMetadata role = right.role().typed();
    PolicyRule rule = rules(role).get(right.rule());
    String[] resource = right.resource().split("/", 2);
    Map<String, Object> asked = new HashMap<>();
    asked.put("verb", right.verb());
    asked.put("group", rule.getApiGroups().get(0));
    asked.put("resource", resource[0]);
    asked.put("subresource", resource.length == 1 ? "" : resource[1]);
    asked.put("name", rule.getResourceNames().isEmpty() ? "" : rule.getResourceNames().get(0));
    String namespace = role.getMetadata().getNamespace();
    asked.put("namespace", namespace == null ? "" : namespace);
    String answer =
        admin
            .client()
            .raw(
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                "POST",
                Map.of(
                    "apiVersion",
                    "authorization.k8s.io/v1",
                    "kind",
                    "SubjectAccessReview",
                    "spec",
                    Map.of(
                        "user",
                        "system:serviceaccount:" + Manifests.NAMESPACE + ':' + manifests.account(),
                        "resourceAttributes",
                        asked)));
    return answer.contains("\"allowed\":true");
  }

  /** The failures, in their own words and in the log. */
  List<String> complaints(Use use) throws Exception {
    takeWarnings();
    List<String> complaints = new ArrayList<>();
    use.of(complaints);
    complaints.addAll(takeWarnings());
    // said of so few nodes, of whatever rights
    complaints.removeIf(each -> each.startsWith("TM-1106 "));
    return complaints;
  }

  /** Without this right the use does not work, and all that is said names it. */
  void assertNeeded(Right right, Use use) throws Exception {
    take(right);
    try {
      assertThat(complaints(use))
          .isNotEmpty()
          .allSatisfy(
              text ->
                  assertThat(text)
                      .contains("cannot " + right.verb() + " resource \"" + right.resource() + '"')
                      .contains("Grant it"));
    } finally {
      give(right);
    }
  }

  /** The lease of a program is won, renewed and released. */
  Use leases() {
    return complaints -> {
      LeaderLease lease =
          new LeaseSettings(Manifests.NAMESPACE, manifests.account(), "process-" + next(), QUICK)
              .lease(account, scheduler, effects, Map::of);
      lease.start();
      Eventually.holds(
          "it is won and renewed",
          () -> lease.trouble().isPresent() || (lease.isOpen() && isRenewed()));
      lease.trouble().ifPresent(complaints::add);
      lease.release().toCompletableFuture().get();
      admin.client().leases().inNamespace(Manifests.NAMESPACE).delete();
    };
  }

  private boolean isRenewed() {
    Lease lease =
        admin
            .client()
            .leases()
            .inNamespace(Manifests.NAMESPACE)
            .withName(manifests.account())
            .get();
    return lease != null
        && !lease.getSpec().getRenewTime().equals(lease.getSpec().getAcquireTime());
  }

  /**
   * Reports a problem twice: the second time counts up.
   *
   * @param report of an object of that name
   */
  void reportTwice(BiConsumer<ClusterEvents, String> report) {
    String name = "e" + next();
    ClusterEvents events = ClusterEvents.of(account, "test", effects, scheduler);
    for (int count = 1; count <= 2; count++) {
      int expected = count;
      report.accept(events, name);
      Eventually.holds(
          "it is recorded, or the missing right is reported",
          () -> hasWarned() || count(name) == expected);
    }
    events.close();
  }

  private int count(String object) {
    return admin.client().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(object))
        .mapToInt(event -> event.getCount())
        .findFirst()
        .orElse(0);
  }

  /** Warnings of the module since the last call of this method. */
  private List<String> takeWarnings() {
    synchronized (log) {
      List<String> texts =
          new ArrayList<>(log.list)
              .stream()
                  .filter(event -> event.getLevel().levelInt >= 30_000)
                  .map(ILoggingEvent::getFormattedMessage)
                  .toList();
      log.list.clear();
      return texts;
    }
  }

  /** Whether a warning was logged that speaks of a missing right. */
  boolean hasWarned() {
    return new ArrayList<>(log.list)
        .stream().anyMatch(event -> event.getFormattedMessage().contains("cannot "));
  }

  @Override
  public void close() {
    logger.detachAppender(log);
    account.close();
    admin.close();
    server.close();
    effects.close();
    scheduler.close();
  }
}
