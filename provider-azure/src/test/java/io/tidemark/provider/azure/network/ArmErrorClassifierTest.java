package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Failure;
import io.tidemark.resilience.FailureClassifier.Limit;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What Azure's errors mean (provider-azure 13.3)")
class ArmErrorClassifierTest {
  private final ArmErrorClassifier classifier = new ArmErrorClassifier();

  private Failure of(int status, String code, String text) {
    return classifier.classify(
        ArmOperation.INTERFACE_UPDATE.kind(),
        ArmFailure.refused(status, code, text, Optional.empty(), false));
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3} {4}")
  @CsvSource({
    "429, SubscriptionRequestsThrottled, '', THROTTLED, throttled",
    "429, '', '', THROTTLED, throttled",
    "429, TooManyRequests, '', THROTTLED, providerThrottled",
    "429, OperationNotAllowed, '', THROTTLED, providerThrottled",
    "429, RetryableErrorDueToAnotherOperation, '', CONFLICT, busy",
    "429, ReferencedResourceNotProvisioned, '', CONFLICT, busy",
    "400, AnotherOperationInProgress, '', CONFLICT, busy",
    "409, ConflictingConcurrentWriteNotAllowed, '', CONFLICT, busy",
    "409, X, Conflict with a concurrent request, CONFLICT, busy",
    "409, X, The limit of 256 is reached, CAPACITY, configurationLimit",
    "409, OperationPreempted, '', CONFLICT, superseded",
    "409, OperationNotAllowed, the VM is deallocating, CONFLICT, state",
    "409, OperationNotAllowed, the VM is marked for deletion, NOT_RUNNING, beingDeleted",
    "400, InstanceIdsListInstanceIdNotActiveVM, '', NOT_RUNNING, beingDeleted",
    "412, PreconditionFailed, '', CONFLICT, etag",
    "404, ResourceNotFound, '', NOT_FOUND, notFound",
    "404, '', '', NOT_FOUND, notFound",
    "401, ExpiredAuthenticationToken, '', CONFIGURATION, noCredentials",
    "403, AuthorizationFailed, '', CONFIGURATION, notAllowed",
    "403, LinkedAuthorizationFailed, '', CONFIGURATION, notAllowed",
    "409, ScopeLocked, '', CONFIGURATION, notAllowed",
    "400, SubnetIsFull, '', CAPACITY, subnetFull",
    "400, InsufficientCidrBlocks, '', CAPACITY, fragmented",
    "400, PublicIpPrefixOutOfIpAddresses, '', CAPACITY, publicPrefixFull",
    "400, PublicIpPrefixOutOfIpAddressesForVMScaleSet, '', CAPACITY, publicPrefixFull",
    "400, IpConfigurationCountExceedsLimit, '', CAPACITY, configurationLimit",
    "400, VMScaleSetIpConfigurationsOnSameNicCannotUseDifferentSubnets, '', CONFIGURATION, subnet",
    "400, InvalidParameter, '', CONFIGURATION, refused",
    "413, '', '', CONFIGURATION, refused",
    "500, InternalServerError, '', LOST, answerLost",
    "503, '', '', LOST, answerLost",
    "408, '', '', LOST, answerLost"
  })
  @DisplayName("by code, by status, by text only where a code has several meanings")
  void refusals(int status, String code, String text, Failure.Kind kind, String condition) {
    Failure failure = of(status, code, text);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.condition()).isEqualTo(condition);
    assertThat(failure.detail())
        .startsWith("Interfaces.CreateOrUpdate: ")
        .containsOnlyOnce("Interfaces.CreateOrUpdate");
  }

  @ParameterizedTest(name = "{0}: {1} {2}")
  @CsvSource({
    "Conflict with a concurrent request, CONFLICT, busy",
    "The VM is marked for deletion, NOT_RUNNING, beingDeleted",
    "The limit of 256 is reached, CAPACITY, configurationLimit",
    "Something else, CONFLICT, operationFailed"
  })
  @DisplayName("AZ-N3 the text of an operation's error means what it means in a response")
  void ended(String text, Failure.Kind kind, String condition) {
    ResourceId nic =
        ResourceId.of(
            "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/n");
    Failure failure =
        ArmErrorClassifier.ended(OperationStatus.State.FAILED, nic, "X", text).orElseThrow();
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.condition()).isEqualTo(condition);
  }

  @Test
  @DisplayName("Retry-After is kept, and a busy resource has a pause without one")
  void pauses() {
    assertThat(of(409, "AnotherOperationInProgress", "").retryAfter())
        .contains(Duration.ofSeconds(5));
    assertThat(of(409, "OperationNotAllowed", "").retryAfter()).contains(Duration.ofSeconds(60));
    assertThat(
            classifier
                .classify(
                    ArmOperation.INTERFACE_UPDATE.kind(),
                    ArmFailure.refused(429, "", "", Optional.of(Duration.ofSeconds(30)), false))
                .retryAfter())
        .contains(Duration.ofSeconds(30));
  }

  @Test
  @DisplayName("without a response a read can be repeated, a write is in doubt")
  void unanswered() {
    IOException broken = new IOException("broken pipe");
    assertThat(classifier.classify(ArmOperation.INTERFACE_GET.kind(), broken).kind())
        .isEqualTo(Failure.Kind.TRANSIENT);
    assertThat(classifier.classify(ArmOperation.INSTANCE_UPDATE.kind(), broken).kind())
        .isEqualTo(Failure.Kind.LOST);
    assertThat(
            classifier
                .classify(
                    ArmOperation.INSTANCE_UPDATE.kind(),
                    ArmFailure.unanswered(ArmFailure.Ending.NOT_SENT, "no connection", null))
                .kind())
        .isEqualTo(Failure.Kind.TRANSIENT);
  }

  @Test
  @DisplayName("a throttle by a resource provider is about its kind alone, one by the front is not")
  void limits() {
    assertThat(classifier.limitOf(of(429, "TooManyRequests", ""))).isEqualTo(Limit.KIND);
    assertThat(classifier.limitOf(of(429, "SubscriptionRequestsThrottled", "")))
        .isEqualTo(Limit.SHARED);
  }

  @Test
  @DisplayName("a throttle by the front is none of a machine, however often that was asked")
  void frontThrottle() {
    assertThat(
            classifier
                .classify(
                    ArmOperation.INSTANCE_UPDATE.kind(),
                    ArmFailure.refused(
                        429, "SubscriptionRequestsThrottled", "", Optional.empty(), true))
                .kind())
        .isEqualTo(Failure.Kind.THROTTLED);
  }

  @Test
  @DisplayName("only a missing credential stops the account")
  void stopsAccount() {
    assertThat(classifier.stopsAccount(of(401, "InvalidAuthenticationToken", ""))).isTrue();
    assertThat(classifier.stopsAccount(of(403, "AuthorizationFailed", ""))).isFalse();
  }
}
