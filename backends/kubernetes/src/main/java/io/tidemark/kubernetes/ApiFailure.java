package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.resource.StoreResult.Effect;
import java.net.ConnectException;
import java.util.List;
import java.util.Optional;

/**
 * How a request to the API server failed.
 *
 * @param kind what to do about it
 * @param text for people: the server's own words, and what to do where a person must
 * @param effect of the request, if it was a change
 */
public record ApiFailure(Kind kind, String text, Effect effect) {
  private static final int CAUSES_MAX = 8;
  private static final String GRANT = ". Grant it to the role of this program; see deploy/.";
  private static final String GOAWAY = "GOAWAY";
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int GONE = 410;
  private static final int INVALID = 422;
  private static final int TOO_MANY = 429;

  /** The reaction. */
  public enum Kind {
    /** The object is newer than the version that was sent: read it and apply again. */
    CONFLICT,
    /** It exists already. */
    EXISTS,
    /** There is no such object, or no such kind of object. */
    NOT_FOUND,
    /** The requested version is too old: list again. */
    EXPIRED,
    /** The credentials are refused and must be fixed; the connection logs it once. */
    UNAUTHORIZED,
    /**
     * The server ended the connection under the request (GOAWAY); the effect is unknown. It takes a
     * new connection, or refuses the credentials there, which the connection finds out.
     */
    CLOSED,
    /** A permission is missing: a person must grant it. */
    FORBIDDEN,
    /** The schema or an admission rule refuses the object: the same will be refused again. */
    INVALID,
    /** The server is busy and asks to retry later. */
    BUSY,
    /** No usable response: the effect is unknown. */
    UNKNOWN
  }

  /** Of a request whose effect is not known. */
  public ApiFailure(Kind kind, String text) {
    this(kind, text, Effect.UNKNOWN);
  }

  /** Reads the client library's exception. */
  public static ApiFailure of(KubernetesClientException e) {
    ApiFailure read = read(e);
    return new ApiFailure(read.kind, read.text, effect(e.getCode()));
  }

  /**
   * By the code of the response. One of 404 is also what a proxy says, so it is not known; see
   * {@link #isAbsent}.
   */
  private static Effect effect(int code) {
    return switch (code) {
      case UNAUTHORIZED, CONFLICT, TOO_MANY -> Effect.ASKED_TO_WAIT;
      case NOT_FOUND, TIMEOUT -> Effect.UNKNOWN;
      default -> code >= 400 && code < 500 ? Effect.REFUSED : Effect.UNKNOWN;
    };
  }

  /** Whether the server says that there is no object of this name, and nothing between says it. */
  public static boolean isAbsent(KubernetesClientException e, String name) {
    return e.getCode() == NOT_FOUND
        && Optional.ofNullable(e.getStatus())
            .map(Status::getDetails)
            .filter(details -> name.equals(details.getName()))
            .isPresent();
  }

  private static ApiFailure read(KubernetesClientException e) {
    Optional<Status> status = Optional.ofNullable(e.getStatus());
    String reason = status.map(Status::getReason).orElse("");
    String message = status.map(Status::getMessage).orElse(String.valueOf(e.getMessage()));
    return switch (e.getCode()) {
      case CONFLICT ->
          new ApiFailure("AlreadyExists".equals(reason) ? Kind.EXISTS : Kind.CONFLICT, message);
      case NOT_FOUND -> new ApiFailure(Kind.NOT_FOUND, message);
      case GONE -> new ApiFailure(Kind.EXPIRED, message);
      case UNAUTHORIZED -> new ApiFailure(Kind.UNAUTHORIZED, message + ". Check the credentials.");
      case FORBIDDEN -> new ApiFailure(Kind.FORBIDDEN, message + GRANT);
      case INVALID -> new ApiFailure(Kind.INVALID, message + causes(status));
      case TOO_MANY -> new ApiFailure(Kind.BUSY, message);
      default -> e.getCode() >= 500 ? new ApiFailure(Kind.BUSY, message) : unanswered(root(e));
    };
  }

  /** Classifies the error that ended a list or watch without a response. */
  static ApiFailure ofAny(Throwable thrown) {
    return unanswered(root(thrown));
  }

  /** The words hold an address of ours that differs each time. */
  private static ApiFailure unanswered(String root) {
    return root.contains(GOAWAY)
        ? new ApiFailure(Kind.CLOSED, "the connection was closed (" + GOAWAY + ")")
        : new ApiFailure(Kind.UNKNOWN, root);
  }

  /** The same with the server's address, if the server is the cause. */
  ApiFailure at(String server) {
    return switch (kind) {
      case UNKNOWN, CLOSED ->
          withText(kind, "the API server " + server + " does not answer: " + text);
      case BUSY -> withText(kind, "the API server " + server + " answers: " + text);
      default -> this;
    };
  }

  /** The same request, explained by something else. */
  ApiFailure withText(Kind other, String words) {
    return new ApiFailure(other, words, effect);
  }

  /** Whether the connection logs the cause itself, once for all who ask. */
  public boolean isLoggedApart() {
    return kind == Kind.UNAUTHORIZED || kind == Kind.CLOSED;
  }

  /**
   * Reads the exception of a list and watch. Of a watch the server's words do not come through: it
   * is refused before there is a body.
   *
   * @param resource plural, as a role names it
   */
  public static ApiFailure ofWatch(KubernetesClientException e, String resource) {
    ApiFailure failure = of(e);
    return e.getCode() == FORBIDDEN && !failure.text().contains("cannot ")
        ? new ApiFailure(Kind.FORBIDDEN, "cannot watch resource \"" + resource + "\"" + GRANT)
        : failure;
  }

  /** The causes that the message does not name already. */
  private static String causes(Optional<Status> status) {
    List<StatusCause> causes =
        status.map(Status::getDetails).map(details -> details.getCauses()).orElse(List.of());
    StringBuilder text = new StringBuilder();
    causes.stream()
        .limit(CAUSES_MAX)
        .forEach(
            cause ->
                text.append("; ").append(cause.getField()).append(": ").append(cause.getMessage()));
    return text.toString();
  }

  private static String root(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null && !at.getCause().equals(at)) {
      if (at instanceof ConnectException && at.getMessage() == null) {
        return "no connection"; // the cause is less specific
      }
      at = at.getCause();
    }
    String message = at.getMessage();
    return message == null || message.isEmpty() ? at.getClass().getSimpleName() : message;
  }
}
