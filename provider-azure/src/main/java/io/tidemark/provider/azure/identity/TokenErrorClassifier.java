package io.tidemark.provider.azure.identity;

import com.azure.core.exception.ClientAuthenticationException;
import com.microsoft.aad.msal4j.MsalServiceException;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.FailureClassifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * The meaning of the errors of azure-identity: the credential is wrong, or the authority is not
 * there.
 */
final class TokenErrorClassifier implements FailureClassifier {
  private static final String NO_CREDENTIALS = "noCredentials";
  private static final int TEXT_MAX = 1_000;

  /**
   * The codes of an authority and of the metadata service for a credential that they do not accept.
   */
  private static final Set<Integer> REFUSALS = Set.of(400, 401, 403);

  @Override
  public Failure classify(CallKind kind, Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException || cause instanceof UncheckedIOException) {
        return Failure.of(Failure.Kind.TRANSIENT, "authorityUnreachable", text(cause));
      }
      if (cause instanceof MsalServiceException refusal) {
        return refusal.statusCode() != null && REFUSALS.contains(refusal.statusCode())
            ? Failure.of(Failure.Kind.CONFIGURATION, NO_CREDENTIALS, text(cause))
            : Failure.of(Failure.Kind.TRANSIENT, "noToken", text(cause));
      }
    }
    return thrown instanceof ClientAuthenticationException
        ? Failure.of(Failure.Kind.CONFIGURATION, NO_CREDENTIALS, text(thrown))
        : Failure.of(Failure.Kind.TRANSIENT, "noToken", text(thrown));
  }

  @Override
  public boolean stopsAccount(Failure failure) {
    return failure.condition().equals(NO_CREDENTIALS);
  }

  private static String text(Throwable thrown) {
    String text = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    String shown = text.isEmpty() ? thrown.getClass().getSimpleName() : text;
    return shown.length() <= TEXT_MAX ? shown : shown.substring(0, TEXT_MAX);
  }
}
