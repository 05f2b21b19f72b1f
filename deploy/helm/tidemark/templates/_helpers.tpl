{{- define "tidemark.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "tidemark.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "tidemark.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* The Pods of this release. */}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: {{ include "tidemark.name" . }}
{{- end -}}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* A setting as the command line takes it: a list with commas, a map as JSON, a number without an exponent. */}}
{{- define "tidemark.setting" -}}
{{- if kindIs "string" . -}}
{{ . }}
{{- else if kindIs "slice" . -}}
{{ join "," . }}
{{- else -}}
{{ toJson . }}
{{- end -}}
{{- end -}}

{{/* The lease of the mode. */}}
{{- define "tidemark.lease" -}}
{{- if eq .Values.ipam "kubernetes" -}}
tidemark-node-cidr
{{- else if eq .Values.ipam "node-id" -}}
tidemark-node-id
{{- else -}}
tidemark-operator
{{- end -}}
{{- end -}}

{{- define "tidemark.leaseNamespace" -}}
{{- index .Values.settings "leader-election-namespace" | default .Release.Namespace -}}
{{- end -}}

{{- define "tidemark.port" -}}
{{- if .Values.port -}}
{{- .Values.port -}}
{{- else if eq .Values.ipam "kubernetes" -}}
9974
{{- else if eq .Values.ipam "node-id" -}}
9975
{{- else -}}
9973
{{- end -}}
{{- end -}}

{{- define "tidemark.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Whether the mode works on CiliumNodes, and on no Nodes. */}}
{{- define "tidemark.onCiliumNodes" -}}
{{- if or (not .Values.ipam) (eq .Values.ipam "cluster-pool") -}}true{{- end -}}
{{- end -}}

{{/* Whether a cloud has the CIDRs of Nodes, whose condition the operator then writes. */}}
{{- define "tidemark.cloudCidrs" -}}
{{- $type := index .Values.settings "cidr-allocator-type" | default "RangeAllocator" -}}
{{- if and (eq .Values.ipam "kubernetes") (ne $type "RangeAllocator") -}}true{{- end -}}
{{- end -}}

{{/* Where the claims of ids are. */}}
{{- define "tidemark.idNamespace" -}}
{{- index .Values.settings "node-id-namespace" | default "tidemark-node-ids" -}}
{{- end -}}

{{- define "tidemark.subject" -}}
- kind: ServiceAccount
  name: {{ include "tidemark.serviceAccount" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}
