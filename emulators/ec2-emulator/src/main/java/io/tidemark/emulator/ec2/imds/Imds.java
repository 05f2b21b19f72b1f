package io.tidemark.emulator.ec2.imds;

import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Sessions;
import io.tidemark.emulator.ec2.sts.RoleArn;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The instance metadata service, version 2 only ("How Instance Metadata Service Version 2 works",
 * Amazon EC2 User Guide): a token first, then all requests with it. Not thread-safe; call it while
 * no one else uses the model.
 */
public final class Imds {
  static final String TTL_HEADER = "X-Aws-Ec2-Metadata-Token-Ttl-Seconds";
  private static final String TOKEN_HEADER = "X-aws-ec2-metadata-token";
  private static final String TOKEN_PATH = "/latest/api/token";
  private static final String LATEST = "/latest";

  private static final Duration CREDENTIALS_LIFE = Duration.ofHours(6);

  /** New credentials are there at least five minutes before the old ones end. */
  private static final Duration CREDENTIALS_RENEWED = Duration.ofHours(1);

  private final Setting setting;
  private final ImdsTokens tokens;
  private RoleCredentials.@Nullable Given given;

  /**
   * The settings of the service.
   *
   * @param instance the id of its instance; empty for the instance that was launched first
   * @param role the name of the instance's role; empty for none
   */
  public record Setting(Optional<String> instance, Optional<String> role) {}

  private record Found(Region region, Ec2Instance instance) {}

  /**
   * A service that has given out no token yet.
   *
   * @param seed of the tokens
   */
  public Imds(Setting setting, long seed) {
    this.setting = setting;
    this.tokens = new ImdsTokens(new SplittableRandom(seed));
  }

  /** The response to this request now, also to an invalid one. */
  public HttpResponse answer(HttpRequest request, Ec2Model world, Instant now) {
    if (request.method().equals("PUT")) {
      return request.path().equals(TOKEN_PATH) ? token(request, now) : error(404, "Not Found");
    }
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return error(405, "Method Not Allowed");
    }
    Optional<Duration> left = request.header(TOKEN_HEADER).flatMap(t -> tokens.left(t, now));
    if (left.isEmpty()) {
      return error(401, "Unauthorized");
    }
    return read(request.path(), world, now)
        .map(text -> text(text, left.get().toSeconds()))
        .orElseGet(() -> error(404, "Not Found"));
  }

  /** A proxy that forwards what others ask must not get a token. */
  private HttpResponse token(HttpRequest request, Instant now) {
    if (request.header("X-Forwarded-For").isPresent()) {
      return error(403, "Forbidden");
    }
    String text = request.header(TTL_HEADER).orElse("").strip();
    int ttl = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    if (ttl < ImdsTokens.TTL_LEAST || ttl > ImdsTokens.TTL_MOST) {
      return error(400, "Bad Request");
    }
    return text(tokens.issue(Duration.ofSeconds(ttl), now), ttl);
  }

  private static HttpResponse text(String body, long ttlSeconds) {
    return HttpResponse.of(200, "text/plain", body).with(TTL_HEADER, Long.toString(ttlSeconds));
  }

  private static HttpResponse error(int status, String reason) {
    String title = status + " - " + reason;
    return HttpResponse.of(
        status,
        "text/html",
        "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n"
            + ("<html><head><title>" + title + "</title></head>")
            + ("<body><h1>" + title + "</h1></body></html>\n"));
  }

  private Optional<String> read(String path, Ec2Model world, Instant now) {
    if (path.equals("/")) {
      return Optional.of("latest");
    }
    if (!path.equals(LATEST) && !path.startsWith(LATEST + "/")) {
      return Optional.empty();
    }
    world.pass(now);
    return chosen(world)
        .flatMap(
            found ->
                new MetadataTree(found.region(), found.instance())
                    .root(role(found, world, now))
                    .read(path.substring(LATEST.length())));
  }

  private Optional<Found> chosen(Ec2Model world) {
    Stream<Found> booted =
        world.regions().stream()
            .flatMap(region -> region.instances().present().map(i -> new Found(region, i)))
            .filter(found -> isUp(found.instance().state()));
    return setting.instance().isPresent()
        ? booted.filter(found -> found.instance().id().equals(setting.instance().get())).findFirst()
        : booted.min(Comparator.comparing(found -> found.instance().launch().time()));
  }

  /** Nothing runs on an instance that is stopped, so nothing can ask. */
  private static boolean isUp(InstanceState state) {
    return state == InstanceState.PENDING
        || state == InstanceState.RUNNING
        || state == InstanceState.STOPPING
        || state == InstanceState.SHUTTING_DOWN;
  }

  private Optional<RoleCredentials> role(Found found, Ec2Model world, Instant now) {
    return setting
        .role()
        .map(
            name -> {
              String account = found.instance().ownerId();
              String partition = Ec2Partition.of(found.region().name()).id();
              String profile =
                  "arn:" + partition + ":iam::" + account + ":instance-profile/" + name;
              RoleArn.Session session =
                  new RoleArn.Session(new RoleArn(partition, account, name), found.instance().id());
              return new RoleCredentials(name, profile, () -> given(session, world, now));
            });
  }

  /** The credentials of before while they are good for long enough, else new ones. */
  private RoleCredentials.Given given(RoleArn.Session named, Ec2Model world, Instant now) {
    RoleCredentials.@Nullable Given before = given;
    if (before != null
        && before.session().arn().equals(named.arn())
        && world.sessions().find(before.session().accessKeyId()).isPresent()
        && now.plus(CREDENTIALS_RENEWED).isBefore(before.session().expiration())) {
      return before;
    }
    Sessions.Session session =
        world
            .sessions()
            .issue(named.role().account(), named.arn(), named.id(), CREDENTIALS_LIFE, now);
    RoleCredentials.Given fresh = new RoleCredentials.Given(session, now);
    given = fresh;
    return fresh;
  }
}
