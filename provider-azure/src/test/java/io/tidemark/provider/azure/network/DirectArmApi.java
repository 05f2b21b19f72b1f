package io.tidemark.provider.azure.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.model.ArmInventory;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.provider.azure.network.OperationStatus.State;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resource Manager straight from an emulator's model, for simulations: requests pass every rule of
 * the emulator, and what did not change since it was last read is not made into text and read
 * again. Not thread-safe.
 */
public final class DirectArmApi implements ArmApi {
  private final ArmHandler handler;
  private final BlockForm form;
  private final int pageSize;
  private final Supplier<String> token;
  private final TimeSource time;
  private final Known known;
  private final ArmApi pipeline;
  private final MachineCounts counts = new MachineCounts();

  /** The resources that were read, by id. Shared by all doors to one emulator. */
  public static final class Known {
    private record Read(Object version, Object value) {}

    private final Map<String, Read> interfaces = new HashMap<>();
    private final Map<String, Read> writables = new HashMap<>();
  }

  /** Makes what is not known. */
  @FunctionalInterface
  private interface Reading<T> {
    T read() throws ArmFailure;
  }

  /**
   * A door that has sent nothing yet.
   *
   * @param form how the emulator shows blocks
   * @param pageSize of the emulator
   * @param token the access token of now
   */
  public DirectArmApi(
      ArmHandler handler,
      BlockForm form,
      int pageSize,
      Supplier<String> token,
      TimeSource time,
      Known known) {
    this.handler = handler;
    this.form = form;
    this.pageSize = pageSize;
    this.token = token;
    this.time = time;
    this.known = known;
    this.pipeline = ArmDoors.pipeline(handler, token, time);
  }

  // ---- reads

  @Override
  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  public <T> AzurePage<T> page(ArmList<T> list, Optional<URI> next) throws ArmFailure {
    if (list.operation() == ArmOperation.NETWORK_USAGES) {
      return usages(list, next);
    }
    return list.element() == ArmList.INTERFACE
        ? (AzurePage<T>) interfaces((ArmList<AzureNetworkInterface>) list, next)
        : pipeline.page(list, next);
  }

  private AzurePage<AzureNetworkInterface> interfaces(
      ArmList<AzureNetworkInterface> list, Optional<URI> next) throws ArmFailure {
    boolean ofGroup = list.operation() == ArmOperation.GROUP_INTERFACES;
    String of =
        list.path()
            .replace((ofGroup ? "/providers/Microsoft.Network" : "") + "/networkInterfaces", "");
    return page(
        list.path(),
        AzureApiVersions.of(list.operation(), false),
        next,
        there ->
            list.operation() == ArmOperation.INSTANCE_INTERFACES
                ? there.machine(of).map(ArmInventory.SeenMachine::interfaces).orElse(List.of())
                : there.interfacesWithin(of, !ofGroup));
  }

  /** Those that a list may show. */
  @FunctionalInterface
  private interface Listed {
    List<ArmNic> of(ArmInventory inventory);
  }

  private AzurePage<AzureNetworkInterface> page(
      String path, String version, Optional<URI> next, Listed listed) throws ArmFailure {
    Map<String, String> query =
        next.isPresent()
            ? ArmRequest.parameters(next.get().getRawQuery())
            : Map.of("api-version", version);
    send(false, path, query, Optional.empty(), Optional.empty(), false);
    int from = Integer.parseInt(query.getOrDefault("$skiptoken", "0"));
    List<AzureNetworkInterface> items = new ArrayList<>();
    int shown = 0;
    for (ArmNic each : inventory(listed)) {
      Optional<ArmNic.State> state =
          each.isUniform()
              ? handler.use(model -> model.inventory(handler.now()).listed(each))
              : Optional.of(each.state());
      if (state.isPresent() && shown++ >= from && items.size() < pageSize) {
        items.add(seen(each, state.get()));
      }
    }
    int to = from + items.size();
    return new AzurePage<>(
        items,
        to < shown
            ? Optional.of(
                URI.create(
                    ArmDoors.ORIGIN + path + "?api-version=" + version + "&$skiptoken=" + to))
            : Optional.empty());
  }

  private List<ArmNic> inventory(Listed listed) {
    return handler.use(model -> listed.of(model.inventory(handler.now())));
  }

  private AzureNetworkInterface seen(ArmNic nic, ArmNic.State state) throws ArmFailure {
    return known(
        known.interfaces,
        nic.id().text(),
        state,
        () ->
            AnswersJson.only(
                ResourceId.of(nic.id().text()),
                DocumentJson.print(nic.document(state, form, !nic.isUniform())),
                InterfacesJson::networkInterface));
  }

  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  private static <T> T known(
      Map<String, Known.Read> all, String id, Object version, Reading<T> reading)
      throws ArmFailure {
    Known.@Nullable Read before = all.get(id);
    if (before != null && (before.version() == version || before.version().equals(version))) {
      return (T) before.value();
    }
    T read = reading.read();
    all.put(id, new Known.Read(version, read));
    return read;
  }

  @Override
  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  public <T> T read(ArmRead<T> what) throws ArmFailure {
    if (what.meaning() == ArmRead.INTERFACE) {
      return (T) networkInterface(what.id());
    }
    if (what.meaning() == ArmRead.WRITABLE) {
      return (T) writable(what.id());
    }
    return switch (what.operation()) {
      case SUBNET_GET ->
          what.meaning().read(what.id(), get(what.id().text(), AzureApiVersions.NETWORK).body());
      case MACHINE_GET -> what.meaning().read(what.id(), machine(what.id()).body());
      default -> pipeline.read(what);
    };
  }

  private AzureNetworkInterface networkInterface(ResourceId id) throws ArmFailure {
    get(id.text(), AzureApiVersions.NETWORK);
    ArmNic nic = nic(id);
    return seen(nic, nic.state());
  }

  private ArmNic nic(ResourceId id) {
    return handler.use(
        model -> model.inventory(handler.now()).networkInterface(id.text()).orElseThrow());
  }

  private WritableResource writable(ResourceId id) throws ArmFailure {
    if (!id.isUniformInstance()) {
      ArmReply reply = get(id.text(), AzureApiVersions.NETWORK);
      return known(
          known.writables, id.text(), nic(id).state(), () -> WritesJson.read(id, reply.body()));
    }
    ArmReply reply =
        ofMachine(
            ArmOperation.INSTANCE_GET,
            id,
            often ->
                send(
                    false,
                    id.text(),
                    Map.of("api-version", AzureApiVersions.COMPUTE, "$expand", "instanceView"),
                    Optional.empty(),
                    Optional.empty(),
                    often));
    ArmInventory.SeenMachine machine =
        handler.use(model -> model.inventory(handler.now()).machine(id.text()).orElseThrow());
    return known(
        known.writables,
        id.text(),
        machine.etag() + machine.provisioningState() + machine.power(),
        () -> WritesJson.read(id, reply.body()));
  }

  private <T> AzurePage<T> usages(ArmList<T> list, Optional<URI> next) throws ArmFailure {
    String path = next.map(URI::getPath).orElse(list.path());
    Map<String, String> query =
        next.map(each -> ArmRequest.parameters(each.getRawQuery()))
            .orElse(Map.of("api-version", AzureApiVersions.NETWORK));
    ArmReply reply = send(false, path, query, Optional.empty(), Optional.empty(), false);
    return AnswersJson.page(reply.body(), list.element(), link -> Optional.of(URI.create(link)));
  }

  // ---- writes

  @Override
  public Written write(WritableResource base, ConfigurationChange change) throws ArmFailure {
    boolean uniform = base.id().isUniformInstance();
    Optional<Document> body = DocumentJson.read(WritesJson.body(base, change));
    Counted put =
        often ->
            send(
                true,
                base.id().text(),
                Map.of(
                    "api-version", uniform ? AzureApiVersions.COMPUTE : AzureApiVersions.NETWORK),
                Optional.of(base.etag()),
                body,
                often);
    ArmReply reply = ofMachine(ArmOperation.writeOf(base.id()), base.id(), put);
    Map<String, String> headers = reply.headers();
    Optional<URI> operation =
        Optional.ofNullable(headers.get("Azure-AsyncOperation")).map(URI::create);
    Optional<URI> result = Optional.ofNullable(headers.get("Location")).map(URI::create);
    boolean ended =
        operation.isEmpty()
            && result.isEmpty()
            && reply.status() != 202
            && List.of("", "succeeded").contains(AnswersJson.provisioningState(reply.body()));
    return new Written(
        operation.or(() -> result), operation.isEmpty(), ended, retryAfter(reply), false);
  }

  @Override
  public OperationStatus operation(Written written, ResourceId resource) throws ArmFailure {
    URI url = written.operation().orElseThrow();
    ArmReply reply =
        ofMachine(
            ArmOperation.OPERATION_GET,
            resource,
            often ->
                send(
                    false,
                    url.getPath(),
                    ArmRequest.parameters(url.getRawQuery()),
                    Optional.empty(),
                    Optional.empty(),
                    often));
    if (written.byResult()) {
      return AnswersJson.result(reply.status(), reply.body(), resource, retryAfter(reply));
    }
    AnswersJson.ErrorText error = AnswersJson.error(reply.body());
    State state = AnswersJson.state(reply.body());
    return new OperationStatus(
        state,
        ArmErrorClassifier.ended(state, resource, error.code(), error.message()),
        retryAfter(reply));
  }

  // ---- what is rarely asked

  private ArmReply machine(ResourceId machine) throws ArmFailure {
    Map<String, String> query = Map.of("api-version", AzureApiVersions.COMPUTE);
    return ofMachine(
        ArmOperation.MACHINE_GET,
        machine,
        often -> send(false, machine.text(), query, Optional.empty(), Optional.empty(), often));
  }

  @Override
  public Written createPublicAddress(ResourceId id, PublicPrefix prefix) throws ArmFailure {
    return pipeline.createPublicAddress(id, prefix);
  }

  @Override
  public AzureEndpointAnswer endpoint() throws ArmFailure {
    return pipeline.endpoint();
  }

  // ---- one request

  /** A request that is told whether its machine was asked often. */
  @FunctionalInterface
  private interface Counted {
    ArmReply send(boolean often) throws ArmFailure;
  }

  private ArmReply ofMachine(ArmOperation operation, ResourceId machine, Counted request)
      throws ArmFailure {
    if (!machine.isMachine()) {
      return request.send(false);
    }
    try {
      return request.send(counts.count(operation, machine, time.nanos()));
    } catch (ArmFailure failure) {
      if (failure.isOfProvider() && counts.refusedAlone(operation, machine, time.nanos())) {
        throw failure.alone();
      }
      throw failure;
    }
  }

  private ArmReply get(String path, String version) throws ArmFailure {
    return send(
        false, path, Map.of("api-version", version), Optional.empty(), Optional.empty(), false);
  }

  private ArmReply send(
      boolean write,
      String path,
      Map<String, String> query,
      Optional<String> ifMatch,
      Optional<Document> body,
      boolean often)
      throws ArmFailure {
    ArmRequest request =
        new ArmRequest(
            write ? "PUT" : "GET",
            ArmDoors.ORIGIN,
            path,
            new LinkedHashMap<>(query),
            Optional.of("Bearer " + token.get()),
            ifMatch,
            body);
    ArmReply reply = handler.use(model -> model.apply(request, handler.now()));
    if (reply.delivery() != ArmReply.Delivery.SENT) {
      throw ArmFailure.unanswered(ArmFailure.Ending.ANSWER_LOST, "the connection broke", null);
    }
    if (reply.status() >= 300) {
      AnswersJson.ErrorText error = AnswersJson.error(reply.body());
      throw ArmFailure.refused(
          reply.status(),
          error.code(),
          error.message(),
          retryAfter(reply),
          often && reply.status() == 429);
    }
    return reply;
  }

  private static Optional<Duration> retryAfter(ArmReply reply) {
    return Optional.ofNullable(reply.headers().get("Retry-After"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }
}
