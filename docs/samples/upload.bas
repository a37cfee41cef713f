' Logs in, uploads hours of two days; sends again where that helps. Excel or Access on Windows, 2010 or later:
' Alt+F11, Insert > Module, paste this, set the four constants, run UploadDays.
Option Explicit

Private Declare PtrSafe Sub Sleep Lib "kernel32" (ByVal milliseconds As Long)

Private Const SALES_URL As String = "http://127.0.0.1:3000"
Private Const SALES_USER As String = "demo"
Private Const SALES_PASSWORD As String = "demo-password"
Private Const RESTAURANT As Long = 101

Private token As String ' kept for all uploads

Public Sub UploadDays()
    Dim day As Variant
    For Each day In Array("2025-10-14", "2025-10-15")
        UploadDay CStr(day)
    Next
End Sub

Private Sub UploadDay(ByVal day As String)
    Dim hour As Long, records As String, status As Long, answer As String, attempt As Long
    For hour = 11 To 12
        If records <> "" Then records = records & ","
        records = records & RecordOf(RESTAURANT, day, hour, 8, 17, 21.65, 24.05, 0, 40.55, 50, 100.1, 50.2, 0, 0, 0)
    Next
    For attempt = 1 To 2
        If token = "" Then token = LogIn()
        status = PostJson("/api/v1/sales/upload-daily", "{""records"":[" & records & "]}", token, answer)
        If status <> 401 Then Exit For
        token = "" ' it has expired
    Next
    If status <> 200 Then Err.Raise vbObjectError + status, , "upload: " & StatusText(status, ":") & " " & TextIn(answer, "error")
    Debug.Print TextIn(answer, "message")
End Sub

Private Function LogIn() As String
    Dim status As Long, answer As String
    status = PostJson("/api/v1/auth/login", "{""grant_type"":""password"",""username"":" & Quoted(SALES_USER) & _
        ",""password"":" & Quoted(SALES_PASSWORD) & "}", "", answer)
    If status <> 200 Then Err.Raise vbObjectError + status, , "login: " & StatusText(status, ":") & " " & TextIn(answer, "error")
    LogIn = TextIn(answer, "access_token")
End Function

Private Function StatusText(ByVal status As Long, Optional ByVal ending As String = "") As String
    If status = 0 Then StatusText = "no response" & ending Else StatusText = CStr(status)
End Function

' Currency holds four decimals exactly, so that amounts add up without rounding.
Private Function RecordOf(ByVal restaurant_id As Long, ByVal day As String, ByVal hour As Long, ByVal orders As Long, _
    ByVal pax As Long, ByVal gst As Currency, ByVal svc As Currency, ByVal discount As Currency, ByVal cash As Currency, _
    ByVal nets As Currency, ByVal visa As Currency, ByVal master As Currency, ByVal amex As Currency, _
    ByVal voucher As Currency, ByVal other As Currency) As String
    RecordOf = "{""restaurant_id"":" & restaurant_id & ",""date"":" & Quoted(day) & ",""hour"":" & hour & _
        ",""orders"":" & orders & ",""pax"":" & pax & _
        ",""gto"":" & Amount(cash + nets + visa + master + amex + voucher + other) & _
        ",""gst"":" & Amount(gst) & ",""svc"":" & Amount(svc) & ",""discount"":" & Amount(discount) & _
        ",""cash"":" & Amount(cash) & ",""nets"":" & Amount(nets) & ",""visa"":" & Amount(visa) & _
        ",""master"":" & Amount(master) & ",""amex"":" & Amount(amex) & ",""voucher"":" & Amount(voucher) & _
        ",""other"":" & Amount(other) & "}"
End Function

' Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again.
Private Function PostJson(ByVal path As String, ByVal body As String, ByVal token As String, ByRef answer As String) As Long
    Dim http As Object, attempt As Long, seconds As Double
    For attempt = 0 To 4
        Set http = CreateObject("WinHttp.WinHttpRequest.5.1")
        http.Open "POST", SALES_URL & path, False
        http.Option(9) = &H800 ' TLS 1.2, which old versions of Windows do not offer by themselves
        http.SetTimeouts 10000, 10000, 30000, 30000
        http.SetRequestHeader "Content-Type", "application/json"
        If token <> "" Then http.SetRequestHeader "Authorization", "Bearer " & token
        PostJson = 0
        On Error Resume Next
        http.Send body
        answer = Err.Description
        If Err.Number = 0 Then answer = http.ResponseText
        If Err.Number = 0 Then PostJson = http.Status
        On Error GoTo 0
        ' A 200 whose JSON has no end was cut on its way, and is no response.
        If PostJson = 200 And Right$(answer, 1) <> "}" Then PostJson = 0
        seconds = 2 ^ attempt
        Select Case PostJson
            Case 0
            Case 408, 500, 502, 503, 504
                seconds = SecondsIn(http, seconds)
            Case Else
                Exit Function
        End Select
        If attempt < 4 Then
            Debug.Print StatusText(PostJson) & " from " & path & ": sending again in " & seconds & " s"
            Sleep CLng(seconds * 1000)
        End If
    Next
End Function

' Reads Retry-After where it is a number of seconds; a date is of a proxy, and the usual wait will do.
Private Function SecondsIn(ByVal http As Object, ByVal initial As Double) As Double
    Dim text As String
    On Error Resume Next ' WinHTTP raises an error for a header that is not there
    text = http.GetResponseHeader("Retry-After")
    On Error GoTo 0
    SecondsIn = initial
    If text <> "" And Not text Like "*[!0-9]*" Then SecondsIn = CDbl(text)
End Function

' Reads a text of the service's JSON; of anything else, such as a proxy's HTML, the first characters.
Private Function TextIn(ByVal json As String, ByVal name As String) As String
    Dim start As Long, position As Long, character As String
    start = InStr(json, """" & name & """:""")
    If start = 0 Then
        TextIn = Left$(json, 80)
        Exit Function
    End If
    position = start + Len(name) + 4
    character = Mid$(json, position, 1)
    Do While character <> """" And character <> ""
        If character = "\" Then
            position = position + 1
            character = Mid$(json, position, 1)
        End If
        TextIn = TextIn & character
        position = position + 1
        character = Mid$(json, position, 1)
    Loop
End Function

Private Function Quoted(ByVal text As String) As String
    Quoted = """" & Replace(Replace(text, "\", "\\"), """", "\""") & """"
End Function

' Writes a point whatever the settings of Windows say.
Private Function Amount(ByVal value As Currency) As String
    Dim cents As Currency
    cents = Int(value * 100 + 0.5)
    Amount = CStr(Int(cents / 100)) & "." & Right$("0" & CStr(cents - Int(cents / 100) * 100), 2)
End Function
