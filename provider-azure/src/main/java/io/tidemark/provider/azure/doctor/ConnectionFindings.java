package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.identity.AccessTokens.Token;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.AzureEndpointAnswer;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who we are and who answers. Pure.
 *
 * @param token the answer of the authority
 * @param endpoint the answer of Resource Manager
 */
record ConnectionFindings(
    CredentialChoice credential,
    AzureCloud cloud,
    CallResult<Token> token,
    CallResult<AzureEndpointAnswer> endpoint) {
  private static final String ENDPOINT_REMEDY =
      "Check azure-cloud, azure-resource-manager-endpoint, the proxy, the name service and the way"
          + " there.";

  private static final String TENANT_REMEDY =
      "Use a credential of this cloud and of the tenant of the subscriptions.";

  /** Why nothing else can be asked. */
  Optional<Failure> closed() {
    return endpoint
        .refusal()
        .or(
            () ->
                resourceManager().isPresent()
                    ? token.refusal()
                    : Optional.of(
                        Failure.of(
                            Failure.Kind.CANCELLED, "unsent", "nothing was asked, see endpoint")));
  }

  /** Its answer, if it is Resource Manager who answers there. */
  private Optional<AzureEndpointAnswer> resourceManager() {
    return endpoint.answer().filter(AzureEndpointAnswer::ofResourceManager);
  }

  /** All of them, to be added to; with Resource Manager's refusal of the token, where it did. */
  List<Finding> all(Optional<Failure> refused) {
    return new ArrayList<>(List.of(identity(refused), place(), answer(), clock()));
  }

  private Finding identity(Optional<Failure> refused) {
    String subject = credential.toString();
    return token.match(
        given ->
            refused
                .map(failure -> Findings.failed("identity", subject, failure, TENANT_REMEDY))
                .orElseGet(() -> Finding.of("identity", subject, Verdict.OK, "has a token", "")),
        failure ->
            Findings.failed(
                "identity",
                subject,
                failure,
                failure.condition().equals(ArmCondition.NO_CREDENTIALS)
                    ? "Correct the credential."
                    : "Check the way to the authority; for a managed identity check that the"
                        + " machine has it."));
  }

  private Finding place() {
    return Finding.of(
        "cloud", cloud.name(), Verdict.OK, "tokens come from " + cloud.authority(), "");
  }

  private Finding answer() {
    String subject = "Resource Manager at " + cloud.resourceManager();
    return endpoint.match(
        told ->
            told.ofResourceManager()
                ? Finding.of("endpoint", subject, Verdict.OK, told.detail(), "")
                : Finding.of("endpoint", subject, Verdict.FAILED, told.detail(), ENDPOINT_REMEDY),
        failure -> Findings.failed("endpoint", subject, failure, ENDPOINT_REMEDY));
  }

  private Finding clock() {
    return Findings.clock(
        "Azure",
        resourceManager().flatMap(AzureEndpointAnswer::skew),
        "Set the clock, by which tokens are renewed.");
  }
}
